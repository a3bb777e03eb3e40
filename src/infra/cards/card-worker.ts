import { cardOf } from '../../core/alerts/cards/card.ts';
import type { CardSubject } from '../../core/alerts/cards/card-painter.ts';
import { pageCardOf } from '../../core/alerts/cards/page-card.ts';
import { answerRequests } from '../process/worker-thread.ts';
import { cardTree, drawCard } from './draw-card.ts';
import { drawIcon } from './draw-icon.ts';
import { pageCardTree } from './draw-page-card.ts';
import { cardTexts, glyphsOf } from './fonts.ts';

answerRequests(draw, (png) => [png.buffer]);

async function draw(subject: CardSubject): Promise<Uint8Array<ArrayBuffer>> {
  if (subject.kind === 'icon') return drawIcon(subject);
  if (subject.kind === 'page')
    return drawCard(pageCardTree(pageCardOf(subject, await glyphsOf([...subject.titles, subject.lead]))));
  return drawCard(cardTree(cardOf(subject, await glyphsOf(cardTexts(subject.alert)))));
}
