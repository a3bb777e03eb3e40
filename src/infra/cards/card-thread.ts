import { extname } from 'node:path';
import type { CardPainter, CardSubject } from '../../core/alerts/cards/card.ts';
import { WorkerThread } from '../process/worker-thread.ts';

/** Enough for the longest texts; without a limit garbage of hundreds of megabytes stays. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/** Draws cards in a thread: fonts and libraries are loaded there, with the first card. */
export class CardThread implements CardPainter {
  readonly #thread: WorkerThread<CardSubject, Uint8Array<ArrayBuffer>>;

  constructor() {
    const file = new URL(`./card-worker${extname(import.meta.filename)}`, import.meta.url);
    this.#thread = new WorkerThread(file, { name: 'the thread that draws cards', limits: LIMITS });
  }

  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    return this.#thread.ask(subject, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
