import { type ChainHeader, headerSchema } from './chain-block.ts';

/** The newest head that a node showed. Heads that arrive while one is processed replace each other. */
export class LatestHead {
  #header: ChainHeader | null = null;
  #arrival = Promise.withResolvers<void>();

  /** Ignores a value that is not a header. */
  show(value: unknown): void {
    const { success, data } = headerSchema.safeParse(value);
    if (success) this.#set(data);
  }

  /** Waits for a head that was not taken yet and takes it. Null once the signal aborts. */
  async take(signal: AbortSignal): Promise<ChainHeader | null> {
    const wake = () => this.#arrival.resolve();
    signal.addEventListener('abort', wake, { once: true });
    while (this.#header === null && !signal.aborted) await this.#arrival.promise;
    signal.removeEventListener('abort', wake);
    const header = this.#header;
    this.#header = null;
    this.#arrival = Promise.withResolvers();
    return signal.aborted ? null : header;
  }

  /** Returns a head that could not be processed, unless there is a newer one. */
  putBack(header: ChainHeader): void {
    if (this.#header === null) this.#set(header);
  }

  #set(header: ChainHeader): void {
    this.#header = header;
    this.#arrival.resolve();
  }
}
