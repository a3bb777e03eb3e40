import { MINUTE_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { BlockFill } from './chain-block.ts';

/** A transaction that lost its block comes again in a later one, as a rule within seconds. */
const WAIT_MS = 5 * MINUTE_MS;

/** Fills that were handed on, and whose block is no part of the chain any more. */
export class ReorgedFills {
  readonly #fills = new Map<string, { readonly fill: BlockFill; readonly until: EpochMs }>();

  /** `at`: the time of the chain, by which they wait. */
  add(fill: BlockFill, at: EpochMs): void {
    this.#fills.set(fill.fill.key, { fill, until: at + WAIT_MS });
  }

  /** A fill that has come again: as it was handed on, with its first second. Null for any other. */
  takeBack(key: string): BlockFill | null {
    const found = this.#fills.get(key);
    this.#fills.delete(key);
    return found?.fill ?? null;
  }

  /** Those that did not come again in the blocks up to this time. */
  takeDue(at: EpochMs): readonly BlockFill[] {
    if (this.#fills.size === 0) return [];
    const due = [...this.#fills].filter(([, { until }]) => until <= at);
    for (const [key] of due) this.#fills.delete(key);
    return due.map(([, { fill }]) => fill);
  }
}
