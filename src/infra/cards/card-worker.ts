import type { Alert } from '../../core/alerts/alert.ts';
import { cardOf } from '../../core/cards/card-of.ts';
import { answerRequests } from '../worker-thread.ts';
import { drawCard } from './draw-card.ts';
import { hasGlyph } from './fonts.ts';

answerRequests(
  async (alert: Alert) => drawCard(cardOf(alert, hasGlyph)),
  (png) => [png.buffer],
);
