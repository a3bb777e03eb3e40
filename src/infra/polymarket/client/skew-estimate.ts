import type { EpochMs } from '../../../core/trade.ts';

/** A `Date` header counts whole seconds. */
const DATE_UNIT_MS = 1_000;
/** So many answers in a row have to contradict an estimate, and agree with one another, to replace it. */
const REPLACING_ANSWERS = 3;

/** The `Date` of an answer that no cache kept, and when it was asked for and answered by the clock of this host. */
export interface DatedAnswer {
  readonly date: EpochMs;
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
}

/** By how much the market's clock may be ahead of this host's, in milliseconds. */
interface Interval {
  readonly least: number;
  readonly most: number;
}

/**
 * How far the market's clock is ahead of this host's. Each answer gives an interval, since it was made between sending
 * and receiving; the estimate is their intersection. Once that is empty a clock was set or drifted: the newest answers
 * count, when they agree. One answer alone, with a wrong `Date`, changes nothing.
 */
export class SkewEstimate {
  #known: Interval | null = null;
  #rival: Interval | null = null;
  #rivalAnswers = 0;

  /** The least skew that all answers agree with, milliseconds: positive when this host is behind. Null before the first. */
  get ms(): number | null {
    if (this.#known === null) return null;
    const { least, most } = this.#known;
    if (least > 0) return least;
    return Math.min(most, 0);
  }

  add({ date, sentAt, receivedAt }: DatedAnswer): void {
    const given = { least: date - receivedAt, most: date + DATE_UNIT_MS - sentAt };
    // NaN, or a clock that was set back meanwhile.
    if (!(given.least <= given.most)) return;
    const known = this.#known === null ? given : intersection(this.#known, given);
    if (known !== null) {
      this.#known = known;
      this.#rivalAnswers = 0;
      this.#rival = null;
      return;
    }
    const rival = this.#rival === null ? null : intersection(this.#rival, given);
    this.#rivalAnswers = rival === null ? 1 : this.#rivalAnswers + 1;
    this.#rival = rival ?? given;
    if (this.#rivalAnswers < REPLACING_ANSWERS) return;
    this.#known = this.#rival;
    this.#rival = null;
  }
}

function intersection(a: Interval, b: Interval): Interval | null {
  const both = { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
  return both.least <= both.most ? both : null;
}
