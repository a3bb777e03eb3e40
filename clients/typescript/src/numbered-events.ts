import type { Schemas } from './operations.ts';
import type { Patience } from './patience.ts';

export type Outcome = Schemas['Outcome'];
export type Exit = Schemas['Exit'];

const LAG_MS = 1_000;

interface SequenceOptions {
  /** The name of the list in its answer, and the end of its path. */
  readonly list: 'outcomes' | 'exits';
  /** The number before the first; null for the newest at the start. */
  readonly last: number | null;
  readonly patience: Patience;
  readonly signal: AbortSignal;
}

interface Page<Numbered> {
  readonly found: readonly Numbered[];
  readonly last: number;
  readonly has_more: boolean;
}

/** The outcomes or exits from a number on: every number once. */
export class EventSequence<Numbered extends Outcome | Exit> {
  readonly #list: SequenceOptions['list'];
  readonly #patience: Patience;
  readonly #signal: AbortSignal;
  #last: number | null;

  constructor({ list, last, patience, signal }: SequenceOptions) {
    this.#list = list;
    this.#patience = patience;
    this.#signal = signal;
    this.#last = last;
  }

  /** Fixes where the sequence begins. */
  async begin(): Promise<void> {
    await this.#start();
  }

  /** Everything after the last number so far. */
  async *missed(): AsyncGenerator<Numbered, void, undefined> {
    for (let hasMore = true; hasMore && !this.#signal.aborted; ) {
      const page = await this.#page(await this.#start());
      hasMore = page.has_more;
      for (const event of page.found) yield* this.#next(event);
    }
  }

  /** An event of the stream, after those before it, which the stream leaves out if no alert passes the filters. */
  async *upTo(event: Numbered): AsyncGenerator<Numbered, void, undefined> {
    while ((await this.#start()) < event.number - 1 && !this.#signal.aborted) {
      const before = this.#last;
      yield* this.missed();
      // Another process of the service may be behind the one of the socket.
      if (this.#last === before) await this.#patience.pause(LAG_MS, `${this.#list} are not known yet`);
    }
    yield* this.#next(event);
  }

  *#next(event: Numbered): Generator<Numbered, void, undefined> {
    if (this.#signal.aborted || event.number !== (this.#last ?? 0) + 1) return;
    this.#last = event.number;
    yield event;
  }

  async #start(): Promise<number> {
    this.#last ??= (await this.#page(0, 1)).last;
    return this.#last;
  }

  async #page(after: number, limit = 100): Promise<Page<Numbered>> {
    const path = `/api/v1/${this.#list}`;
    const page = (await this.#patience.getUntilAnswered(path, { after, limit })) as Omit<
      Page<Numbered>,
      'found'
    > & {
      readonly [List in SequenceOptions['list']]?: readonly Numbered[];
    };
    return { ...page, found: page[this.#list] ?? [] };
  }
}
