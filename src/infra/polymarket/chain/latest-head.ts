import { type ChainHeader, headerSchema } from './chain-block.ts';

/** The newest head a node showed; those that came while one was worked on are passed over. */
export class LatestHead {
  #header: ChainHeader | null = null;
  #arrival = Promise.withResolvers<void>();

  /** What is no header is passed over. */
  show(value: unknown): void {
    const { success, data } = headerSchema.safeParse(value);
    if (success) this.#set(data);
  }

  /** Takes the newest one that was not taken; null once the signal aborts. */
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

  /** It could not be worked on; a newer one takes its place. */
  putBack(header: ChainHeader): void {
    if (this.#header === null) this.#set(header);
  }

  #set(header: ChainHeader): void {
    this.#header = header;
    this.#arrival.resolve();
  }
}
