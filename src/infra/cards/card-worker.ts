import { cardOf } from '../../core/alerts/cards/card.ts';
import type { CardSubject } from '../../core/alerts/cards/card-painter.ts';
import { answerRequests } from '../process/worker-thread.ts';
import { cardTree, drawCard, serviceCardTree } from './draw-card.ts';
import { drawIcon } from './draw-icon.ts';
import { cardTexts, glyphsOf } from './fonts.ts';

answerRequests(draw, (png) => [png.buffer]);

async function draw(subject: CardSubject): Promise<Uint8Array<ArrayBuffer>> {
  if (subject.kind === 'icon') return drawIcon(subject);
  if (subject.kind === 'service') return drawCard(serviceCardTree());
  return drawCard(cardTree(cardOf(subject, await glyphsOf(cardTexts(subject.alert)))));
}
