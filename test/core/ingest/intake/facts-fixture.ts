import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import type { Row } from '../../../../src/core/trades/trade.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import { liveTrade, settledFacts } from './intake-fixture.ts';

export const small = (wallet: string, at = START) => liveTrade(tradeOf({ wallet, usdc: 10, at }));
export const big = (wallet: string, at = START, marketId = '0xm1') =>
  liveTrade(tradeOf({ wallet, usdc: 5_000, at, marketId }));
/** All but close rows. */
export const told = (rows: readonly Row[]) =>
  rows.flatMap((row) => {
    if (row.kind === 'close' || row.kind === 'removed') return [];
    if (row.kind === 'trade') return [`trade ${row.trade.wallet}`];
    return row.kind === 'wallet' ? [`wallet ${row.facts.wallet}`] : [`market ${row.market.id}`];
  });

/** Facts that come when they are let. */
export function heldFacts() {
  const open = new Map<string, (answer: WalletFactsAnswer | Error) => void>();
  const asked: string[] = [];
  const ask = (wallet: string) => {
    asked.push(wallet);
    return new Promise<WalletFactsAnswer>((resolve, reject) => {
      open.set(wallet, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  };
  const settle = (wallet: string) => open.get(wallet)?.(settledFacts(wallet));
  return {
    facts: { ask },
    asked,
    settle,
    answer: (wallet: string, a: WalletFactsAnswer | Error) => open.get(wallet)?.(a),
  };
}
