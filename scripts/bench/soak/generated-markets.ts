import { LRUCache } from 'lru-cache';
import { type EpochMs, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { mixed } from './mixed.ts';

/** 24,000 new ones a day, each traded for about a quarter of an hour. */
export const SHORT_EVERY_S = 3.6;
const SHORT_LIVED = 250;
/** Markets that are traded all the time, by Zipf's law. */
export const LONG_LIVED = 4_000;
const EPOCH: EpochMs = Date.UTC(2026, 2, 10);

export interface GeneratedMarket {
  readonly id: string;
  readonly assets: readonly [string, string];
  readonly title: string;
  readonly slug: string;
}

/** `place`: from 0 up to 1; 0 is the most traded or the newest market. */
export interface MarketChoice {
  readonly isShort: boolean;
  readonly place: number;
}

export class GeneratedMarkets {
  readonly #long = Array.from({ length: LONG_LIVED }, (_, no) => longLived(no));
  readonly #short = new LRUCache<number, GeneratedMarket>({ max: 2 * SHORT_LIVED, memoMethod: shortLived });

  pick({ isShort, place: part }: MarketChoice, second: number): GeneratedMarket {
    if (!isShort) return this.#long[Math.floor(LONG_LIVED ** part) - 1] as GeneratedMarket;
    const newest = Math.floor(second / SHORT_EVERY_S);
    const no = Math.max(0, newest - Math.floor(part ** 2 * SHORT_LIVED));
    return this.#short.memo(no);
  }
}

export function longLived(no: number): GeneratedMarket {
  const title = `Will candidate ${no} win the election in district ${no % 435}?`;
  return { ...idsOf(no, 31), title, slug: `will-candidate-${no}-win-the-election-in-district-${no % 435}` };
}

export function shortLived(no: number): GeneratedMarket {
  const opensAt = EPOCH + no * SHORT_EVERY_S * SECOND_MS;
  const title = `Bitcoin Up or Down - March ${10 + Math.floor(no / 24_000)}, ${no % 24_000}`;
  return { ...idsOf(no, 41), title, slug: `btc-updown-5m-${Math.floor(opensAt / SECOND_MS)}` };
}

function idsOf(no: number, salt: number): Pick<GeneratedMarket, 'id' | 'assets'> {
  const hex = (from: number) =>
    Array.from({ length: 8 }, (_, place) =>
      mixed(no * 8 + place, from)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
  const asset = (from: number) =>
    BigInt(`0x${hex(from)}`)
      .toString()
      .padStart(77, '1');
  return { id: `0x${hex(salt)}`, assets: [asset(salt + 1), asset(salt + 2)] };
}
