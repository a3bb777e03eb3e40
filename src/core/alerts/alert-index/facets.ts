import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import { betOf } from '../bet.ts';
import { entryOf } from '../figures/win-rates.ts';

/** The fields of few values: one combination is one code. */
export type Kind = Pick<Alert, 'category' | 'side' | 'type'>;

/** What a market may pay an alert for. */
export type Outcome = Pick<Alert, 'outcome' | 'outcomeIndex'>;

const MICROS = 1e6;
const FIRST_CAPACITY = 1_024;
const GROWTH = 1.5;
/** What became of an alert, by the codes of `results`. */
export const RESULTS = [null, false, true] as const;

/** What an alert is filed under: the numbers of its texts, of its kind and of its outcome. */
export interface FiledUnder {
  readonly listing: number;
  readonly kind: number;
  readonly outcome: number;
}

/**
 * The facets of all alerts in typed arrays, 80 bytes an alert. The alert with the id n is at n − 1: ids are dense. There are two kinds
 * of arrays: a loop that meets a third one takes twice as long.
 */
export class Columns {
  createdAt = new Float64Array(FIRST_CAPACITY);
  usdc = new Float64Array(FIRST_CAPACITY);
  putInUsdc = new Float64Array(FIRST_CAPACITY);
  shares = new Float64Array(FIRST_CAPACITY);
  entryPrices = new Float64Array(FIRST_CAPACITY);
  /** Millionths of a USDC per share, which are the precision of prices: sums of them are exact. */
  entryMicros = new Uint32Array(FIRST_CAPACITY);
  betMicros = new Uint32Array(FIRST_CAPACITY);
  /** Of its entry in the log. */
  sequences = new Uint32Array(FIRST_CAPACITY);
  /** Id of the next alert of the thread; 0 for the newest. */
  next = new Uint32Array(FIRST_CAPACITY);
  listings = new Uint32Array(FIRST_CAPACITY);
  kinds = new Uint32Array(FIRST_CAPACITY);
  outcomes = new Uint32Array(FIRST_CAPACITY);
  /** Whole, 0 to 100. */
  scores = new Float64Array(FIRST_CAPACITY);
  /** Codes of `RESULTS`. */
  results = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Throws when the id is not the next. */
  add(alert: Alert, { listing, kind, outcome }: FiledUnder): void {
    const index = this.#length;
    if (alert.id !== index + 1) throw new Error(`alert index: alert ${alert.id} follows ${index}`);
    if (index === this.scores.length) this.#grow(Math.ceil(GROWTH * index));
    const { putInUsdc, toWinUsdc } = betOf(alert);
    const { supersedes } = alert;
    this.createdAt[index] = alert.createdAt;
    this.sequences[index] = alert.log.seq;
    this.usdc[index] = alert.usdc;
    this.putInUsdc[index] = putInUsdc;
    this.shares[index] = alert.shares;
    this.entryPrices[index] = alert.entryPrice;
    this.entryMicros[index] = inMicros(entryOf(alert));
    this.betMicros[index] = inMicros(putInUsdc / (putInUsdc + toWinUsdc));
    this.listings[index] = listing;
    this.kinds[index] = kind;
    this.outcomes[index] = outcome;
    this.scores[index] = alert.score;
    if (supersedes !== null) this.next[supersedes - 1] = alert.id;
    this.#length += 1;
  }

  won(id: number): boolean | null {
    return RESULTS[this.results[id - 1] as number] ?? null;
  }

  setWon(id: number, won: boolean | null): void {
    this.results[id - 1] = RESULTS.indexOf(won);
  }

  /** The number of alerts created before a moment, which is the id of the last of them. */
  countBefore(at: EpochMs): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.createdAt[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(capacity: number): void {
    this.sequences = grown(this.sequences, new Uint32Array(capacity));
    this.createdAt = grown(this.createdAt, new Float64Array(capacity));
    this.usdc = grown(this.usdc, new Float64Array(capacity));
    this.putInUsdc = grown(this.putInUsdc, new Float64Array(capacity));
    this.shares = grown(this.shares, new Float64Array(capacity));
    this.entryPrices = grown(this.entryPrices, new Float64Array(capacity));
    this.entryMicros = grown(this.entryMicros, new Uint32Array(capacity));
    this.betMicros = grown(this.betMicros, new Uint32Array(capacity));
    this.next = grown(this.next, new Uint32Array(capacity));
    this.listings = grown(this.listings, new Uint32Array(capacity));
    this.outcomes = grown(this.outcomes, new Uint32Array(capacity));
    this.kinds = grown(this.kinds, new Uint32Array(capacity));
    this.scores = grown(this.scores, new Float64Array(capacity));
    this.results = grown(this.results, new Uint32Array(capacity));
  }
}

function grown<Values extends Float64Array | Uint32Array>(former: Values, larger: Values): Values {
  larger.set(former);
  return larger;
}

function inMicros(price: number): number {
  return Math.round(price * MICROS);
}

/** A sum of `entryMicros` or `betMicros` as a price. */
export function fromMicros(micros: number): number {
  return micros / MICROS;
}
