import { type CardSubject, cardOf } from '../../core/alerts/cards/card.ts';
import { answerRequests } from '../process/worker-thread.ts';
import { cardTree, drawCard } from './draw-card.ts';
import { cardTexts, glyphsOf } from './fonts.ts';

answerRequests(draw, (png) => [png.buffer]);

async function draw(subject: CardSubject): Promise<Uint8Array<ArrayBuffer>> {
  return drawCard(cardTree(cardOf(subject, await glyphsOf(cardTexts(subject.alert)))));
}
