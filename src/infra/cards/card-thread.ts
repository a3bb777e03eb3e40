import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CardPainter, CardSubject } from '../../core/alerts/cards/card.ts';
import type { CardReply } from './card-worker.ts';

const FILE = new URL(`./card-worker${extname(import.meta.filename)}`, import.meta.url);
/** Enough for the longest texts; without a limit garbage of hundreds of megabytes stays. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

type Png = Uint8Array<ArrayBuffer>;

/**
 * Draws cards in a thread, 70 ms each: fonts and libraries are loaded there, with the first card. A thread that failed is replaced
 * with the next card.
 */
export class CardThread implements CardPainter {
  #worker: Worker | null = null;
  #drawing: PromiseWithResolvers<Png> | null = null;

  async draw(subject: CardSubject, signal: AbortSignal): Promise<Png> {
    signal.throwIfAborted();
    this.#worker ??= this.#start();
    const end = () => void this.close(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    this.#worker.ref();
    try {
      this.#worker.postMessage(subject);
      const drawing = Promise.withResolvers<Png>();
      this.#drawing = drawing;
      return await drawing.promise;
    } finally {
      signal.removeEventListener('abort', end);
      this.#worker?.unref();
    }
  }

  /** The card that is drawn fails with the reason. */
  async close(reason: unknown = stopped()): Promise<void> {
    const worker = this.#worker;
    if (worker !== null) this.#end(worker, reason);
    await worker?.terminate();
  }

  #start(): Worker {
    const started = new Worker(FILE, { resourceLimits: LIMITS });
    started.unref();
    started.on('message', (reply: CardReply) => {
      // The reply of a thread that was ended is not the answer to the next request.
      if (this.#worker !== started) return;
      if ('png' in reply) this.#drawing?.resolve(reply.png);
      else this.#drawing?.reject(new Error(reply.error));
    });
    started.on('error', (error) => this.#end(started, error));
    started.on('exit', () => this.#end(started, stopped()));
    return started;
  }

  #end(worker: Worker, reason: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#drawing?.reject(reason);
  }
}

function stopped(): Error {
  return new Error('the thread that draws cards has stopped');
}
