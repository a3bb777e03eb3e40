import type { CardSubject } from '../../core/cards/card.ts';
import { cardOf } from '../../core/cards/card-of.ts';
import { answerRequests } from '../worker-thread.ts';
import { drawCard } from './draw-card.ts';
import { hasGlyph } from './fonts.ts';

answerRequests(
  async (subject: CardSubject) => drawCard(cardOf(subject, hasGlyph)),
  (png) => [png.buffer],
);
