import { fillKey } from '../../../core/detection/fill-hash.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { Trade } from '../../../core/trade.ts';

/** A listed trade and its row. */
export interface ListedFill {
  readonly live: LiveRow;
  readonly trade: Trade;
}

/**
 * Numbers the equal fills of one answer by ascending price, so that all sources number them alike. An answer lists each
 * order once. Rows of different answers are never counted together, because answers overlap.
 */
export function numberEqualFills(fills: readonly ListedFill[]): readonly ListedFill[] {
  const counts = new Map<string, number>();
  for (const { trade } of fills) {
    const key = fillKey(trade);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === fills.length) return fills;
  const ordinals = new Map<ListedFill, number>();
  for (const fill of fills.toSorted((a, b) => b.trade.price - a.trade.price)) {
    const key = fillKey(fill.trade);
    const left = counts.get(key) as number;
    ordinals.set(fill, left);
    counts.set(key, left - 1);
  }
  return fills.map((fill) => numbered(fill, ordinals.get(fill) as number));
}

function numbered(fill: ListedFill, ordinal: number): ListedFill {
  if (ordinal === 1) return fill;
  const trade = { ...fill.trade, ordinal };
  const line = `${fill.live.line.slice(0, -1)},"n":${ordinal}}`;
  return { live: { row: { kind: 'trade', at: trade.at, trade }, line }, trade };
}
