import { extname } from 'node:path';
import type { CardPainter, CardSubject } from '../../core/alerts/cards/card.ts';
import { WorkerThread } from '../process/worker-thread.ts';

const FILE = new URL(`./card-worker${extname(import.meta.filename)}`, import.meta.url);
/** Enough for the longest texts; without a limit garbage of hundreds of megabytes stays. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/** Draws cards in a thread, 70 ms each: fonts and libraries are loaded there, with the first card. */
export class CardThread extends WorkerThread<CardSubject, Uint8Array<ArrayBuffer>> implements CardPainter {
  constructor() {
    super(FILE, { name: 'the thread that draws cards', limits: LIMITS });
  }

  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask(subject, signal);
  }
}
