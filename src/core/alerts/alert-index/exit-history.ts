import type { EpochMs } from '../../base/time/duration.ts';
import type { Exit, ExitFilter } from '../exits/exit.ts';

/** What an exit is found by. */
interface IndexedExit {
  /** Of its entry in the log. */
  readonly seq: number;
  readonly threadId: number;
  readonly wallet: string;
  readonly marketId: string;
  /** Never decreases with the number. */
  readonly createdAt: EpochMs;
}

/** Where every exit is in the log. The exit with the number n is the n-th. */
export class ExitHistory {
  readonly #exits: IndexedExit[] = [];
  /** By the first alert of the thread. */
  readonly #ofThreads = new Map<number, readonly IndexedExit[]>();

  /** Adds the next exit. */
  add({ log, threadId, wallet, marketId, createdAt }: Exit): void {
    const exit = { seq: log.seq, threadId, wallet, marketId, createdAt };
    this.#exits.push(exit);
    this.#ofThreads.set(threadId, this.#ofThreads.get(threadId)?.concat(exit) ?? [exit]);
  }

  /** The number of the newest one created until then; 0 without one. */
  last(until: EpochMs = Number.POSITIVE_INFINITY): number {
    return this.#exits.findLastIndex(({ createdAt }) => createdAt <= until) + 1;
  }

  /** The entries of exits with a larger number, ascending, at most `limit`. */
  after(number: number, limit: number, { until, ...of }: ExitFilter): readonly number[] {
    const found: number[] = [];
    for (const { seq, wallet, marketId } of this.#exits.slice(number, this.last(until))) {
      const isOther = wallet !== (of.wallet ?? wallet) || marketId !== (of.marketId ?? marketId);
      if (!isOther) found.push(seq);
      if (found.length === limit) break;
    }
    return found;
  }

  /** The entries of the exits of threads, in any order. */
  ofThreads(threadIds: readonly number[], until: EpochMs = Number.POSITIVE_INFINITY): readonly number[] {
    const exits = threadIds.flatMap((id) => this.#ofThreads.get(id) ?? []);
    return exits.filter(({ createdAt }) => createdAt <= until).map(({ seq }) => seq);
  }
}
