import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { START, tradeRow } from '../../support/rows.ts';
import { findings, keysOf } from './rebuild-fixture.ts';

/** One fresh wallet a row, 20 s apart; those that buy for 500 USDC are found by the looser rules only. */
export const rows: readonly Row[] = Array.from({ length: 20 }, (_, n) =>
  tradeRow({
    wallet: `0xw${n}`,
    marketId: `0xm${n}`,
    asset: `${n}`,
    usdc: n % 2 === 0 ? 500 : 2_000,
    at: at(n),
  }),
);

export function at(n: number): number {
  return START + n * 20 * SECOND_MS;
}

/** What the rules find in orders that are closed after the row. */
export const foundAfter = (offset: number, rules = DEFAULT_RULES) =>
  keysOf(findings(rows, rules).flatMap((found) => (found.offset > offset ? [found.candidate] : [])));
