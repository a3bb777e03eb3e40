import { expect, test } from 'vitest';
import { followChain } from '../../../support/market/followed-chain.ts';
import { generatedTape } from '../../../support/market/generated-tape.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const START = START_S * 1_000;
const TAPE = generatedTape({ trades: 600, perSecond: 5, start: START_S, wallets: 40, markets: 8 });

/** Rows as a test compares them: by transaction, in the order they came. */
const transactionsUntil = (at: number): string[] =>
  Array.from({ length: TAPE.count }, (_, index) => TAPE.trade(index))
    .filter(({ timestamp }) => timestamp * 1_000 <= at)
    .map(({ transactionHash }) => transactionHash);

for (const over of ['ws', 'http'] as const) {
  test(`over ${over} each trade since the start comes once, in order, within 3.5 s`, async () => {
    const { pass, rows, feed, clock, complete } = await followChain(TAPE, { startAt: START, over });
    await pass(60_000);
    const { isAtHead, completeUntil } = feed.status();
    expect(isAtHead).toBe(true);
    expect(clock.now() - (completeUntil ?? 0)).toBeLessThanOrEqual(3_500);
    const seen = rows().map(({ row }) => row.kind === 'trade' && row.trade.transaction);
    expect(seen.length).toBeGreaterThan(250);
    expect(seen).toEqual(transactionsUntil(completeUntil ?? 0).slice(-seen.length));
    expect(complete.at(-1)?.until).toBe(completeUntil);
  });
}
