import type { Schemas } from './operations.ts';
import type { Patience } from './patience.ts';

export type Outcome = Schemas['Outcome'];

const PATH = '/api/v1/outcomes';
const LAG_MS = 1_000;

/** The sequence of outcomes from a number on: every number once. */
export class OutcomeSequence {
  readonly #patience: Patience;
  readonly #signal: AbortSignal;
  #last: number | null;

  /** `last`: the number before the first; null for the newest at the start. */
  constructor(patience: Patience, signal: AbortSignal, last: number | null) {
    this.#patience = patience;
    this.#signal = signal;
    this.#last = last;
  }

  /** Fixes where the sequence begins. */
  async begin(): Promise<void> {
    await this.#start();
  }

  /** Everything after the last number so far. */
  async *missed(): AsyncGenerator<Outcome, void, undefined> {
    for (let hasMore = true; hasMore && !this.#signal.aborted; ) {
      const page = await this.#page(await this.#start());
      hasMore = page.has_more;
      for (const outcome of page.outcomes) yield* this.#next(outcome);
    }
  }

  /** An outcome of the stream, after those before it, which the stream leaves out if no alert passes the filters. */
  async *upTo(outcome: Outcome): AsyncGenerator<Outcome, void, undefined> {
    while ((await this.#start()) < outcome.number - 1 && !this.#signal.aborted) {
      const before = this.#last;
      yield* this.missed();
      // Another process of the service may be behind the one of the socket.
      if (this.#last === before) await this.#patience.pause(LAG_MS, 'outcomes are not known yet');
    }
    yield* this.#next(outcome);
  }

  *#next(outcome: Outcome): Generator<Outcome, void, undefined> {
    if (this.#signal.aborted || outcome.number !== (this.#last ?? 0) + 1) return;
    this.#last = outcome.number;
    yield outcome;
  }

  async #start(): Promise<number> {
    this.#last ??= (await this.#page(0, 1)).last;
    return this.#last;
  }

  async #page(after: number, limit = 100): Promise<Schemas['Outcomes']> {
    return (await this.#patience.getUntilAnswered(PATH, { after, limit })) as Schemas['Outcomes'];
  }
}
