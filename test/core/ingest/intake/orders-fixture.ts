import type { LiveRow } from '../../../../src/core/trades/source/source.ts';
import type { Row } from '../../../../src/core/trades/trade.ts';
import { tradeOf } from '../../../support/rows.ts';
import { liveTrade } from './intake-fixture.ts';

export const fill = (given: Parameters<typeof tradeOf>[0] = {}) => liveTrade(tradeOf({ usdc: 10, ...given }));
export const tradesOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.kind === 'trade' ? [row.trade] : []));
export const transactionsOf = (rows: readonly (Row | LiveRow)[]) =>
  tradesOf(rows.map((row) => ('line' in row ? row.row : row))).map(({ transaction }) => transaction);

/** Questions about markets are collected for 100 ms. */
export const ANSWER_MS = 100;
