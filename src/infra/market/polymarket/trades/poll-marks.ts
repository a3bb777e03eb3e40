import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { LIST_LAG_MS, LISTED_LATE_MS } from './trade-pages.ts';

/** How far before its mark a round reaches, for trades that were listed later than the list's lag. The wide one is for one round in 30 s. */
const OVERLAP_MS = 5 * SECOND_MS;
const WIDE_OVERLAP_MS = MINUTE_MS;
const WIDE_EVERY_MS = 30 * SECOND_MS;
/** After a longer time without confirmation a round reaches as far as sweeps do, since no sweep ran in that time. */
const LONG_MS = 5 * MINUTE_MS;
const FIRST_REACH_MS = HOUR_MS;
/** `Age` counts whole seconds. */
const AGE_UNIT_MS = SECOND_MS;

/** What a round has shown. `asOf`: the latest moment at which its answers were made; `complete`: how far the market's data reached. */
export interface Shown {
  readonly start: EpochMs;
  readonly floor: EpochMs;
  readonly from: EpochMs;
  readonly asOf: EpochMs;
  readonly complete: EpochMs;
  readonly newestAt: EpochMs | null;
}

/**
 * Up to when rounds have listed trades, and up to when that is confirmed: 11 s (the list's own lag) before an answer was
 * made. Answers from a cache may list unknown trades, but confirm nothing.
 */
export class PollMarks {
  #confirmedUntil: EpochMs | null;
  #listedUntil: EpochMs | null;
  #widenedAt = Number.NEGATIVE_INFINITY;

  constructor(wantedFrom: EpochMs | null) {
    this.#confirmedUntil = wantedFrom;
    this.#listedUntil = wantedFrom;
  }

  get confirmedUntil(): EpochMs | null {
    return this.#confirmedUntil;
  }

  get listedUntil(): EpochMs | null {
    return this.#listedUntil;
  }

  /**
   * How far back a round must reach whose answers were made at `asOf`: to the confirmed mark when they can confirm more,
   * since rows may have been listed in between; otherwise to the listed mark, so that old answers make no walk longer.
   */
  floor(start: EpochMs, asOf: EpochMs): EpochMs {
    if (this.#confirmedUntil === null || this.#listedUntil === null) return start - FIRST_REACH_MS;
    const confirmableMs = asOf - LIST_LAG_MS - this.#confirmedUntil;
    if (confirmableMs > LONG_MS) return this.#confirmedUntil - LISTED_LATE_MS;
    const isWide = start - this.#widenedAt >= WIDE_EVERY_MS;
    if (isWide) this.#widenedAt = start;
    const mark = confirmableMs > (asOf < start ? AGE_UNIT_MS : 0) ? this.#confirmedUntil : this.#listedUntil;
    return mark - (isWide ? WIDE_OVERLAP_MS : OVERLAP_MS);
  }

  /** Moves the marks by what a round has shown. Returns up to when it confirms; null when it confirms nothing. */
  move({ start, floor, from, asOf, complete, newestAt }: Shown): EpochMs | null {
    const until = Math.min(complete, asOf) - LIST_LAG_MS;
    // A span before the floor of the round stays unconfirmed.
    const isContiguous = this.#confirmedUntil === null || floor <= this.#confirmedUntil;
    // An old answer revokes nothing that a fresh one has confirmed.
    const kept = Math.min(this.#confirmedUntil ?? from, complete - LIST_LAG_MS);
    this.#confirmedUntil = isContiguous ? Math.max(until, kept) : kept;
    // An answer is at least as new as its trades, whatever age it claims. Trades may be dated ahead.
    const listed = Math.max(asOf, Math.min(newestAt ?? asOf, start), this.#listedUntil ?? from);
    this.#listedUntil = Math.min(listed, complete);
    return isContiguous && until > from ? until : null;
  }
}
