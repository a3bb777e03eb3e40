import { type CardSubject, cardOf } from '../../core/alerts/cards/card.ts';
import { answerRequests } from '../process/worker-thread.ts';
import { drawCard } from './draw-card.ts';
import { glyphsOf } from './fonts.ts';

answerRequests(
  async (subject: CardSubject) => drawCard(cardOf(subject, await glyphsOf(subject.alert))),
  (png) => [png.buffer],
);
