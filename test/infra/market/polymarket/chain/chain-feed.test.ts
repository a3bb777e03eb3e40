import { expect, test } from 'vitest';
import { fillKey } from '../../../../../src/core/detection/fill-hash.ts';
import type { TokenMarket } from '../../../../../src/infra/market/polymarket/markets/token-catalogue.ts';
import { parseTrade } from '../../../../../src/infra/market/tapes/trade-row.ts';
import { followChain } from '../../../../support/market/followed-chain.ts';
import { generatedTape } from '../../../../support/market/generated-tape.ts';
import type { MarketTape } from '../../../../support/market/market-tape.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const START = START_S * 1_000;
const TAPE = generatedTape({ trades: 600, perSecond: 5, start: START_S, wallets: 40, markets: 8 });

const LONG = generatedTape({ trades: 2_000, perSecond: 2, start: START_S, wallets: 40, markets: 8 });

const allTrades = (tape: MarketTape) => Array.from({ length: tape.count }, (_, index) => tape.trade(index));
const parseRow = (line: string) => parseTrade(JSON.parse(line), START + 3_600_000);

const transactionsUntil = (at: number): string[] =>
  allTrades(TAPE)
    .filter(({ timestamp }) => timestamp * 1_000 <= at)
    .map(({ transactionHash }) => transactionHash);

test.each(['ws', 'http'] as const)(
  'over %s each trade since the start comes once, in order, within 3.5 s',
  async (over) => {
    const { pass, rows, feed, clock } = await followChain(TAPE, { startAt: START, over });
    await pass(60_000);
    const { isAtHead, completeUntil } = feed.status();
    expect(isAtHead).toBe(true);
    expect(clock.now() - (completeUntil ?? 0)).toBeLessThanOrEqual(3_500);
    const seen = rows().map(({ row }) => row.kind === 'trade' && row.trade.transaction);
    expect(seen.length).toBeGreaterThan(250);
    expect(seen).toEqual(transactionsUntil(completeUntil ?? 0).slice(-seen.length));
  },
);

/** The chain as the source has to give it, up to its last complete moment. */
function expectWhole(run: Awaited<ReturnType<typeof followChain>>, from: number): void {
  const until = run.feed.status().completeUntil ?? 0;
  const seen = run.rows().map(({ row }) => (row.kind === 'trade' ? row.trade.transaction : row.kind));
  const before = transactionsUntil(from - 1).length;
  expect(seen).toEqual(transactionsUntil(until).slice(before));
  expect(seen.length).toBeGreaterThan(0);
}

test('a socket that is closed without notice, one that freezes and a node that is away for two minutes cost no trade', async () => {
  const run = await followChain(TAPE, { startAt: START, wantedFrom: START });
  await run.pass(10_000);
  run.node.dropSockets();
  await run.pass(10_000);
  expect(run.feed.status().isAtHead).toBe(true);
  run.node.isFrozen = true;
  await run.pass(20_000);
  expect(run.feed.status().isAtHead).toBe(false);
  run.node.isFrozen = false;
  await run.pass(8_000);
  expect(run.feed.status().isAtHead).toBe(true);
  run.node.isOn = false;
  await run.pass(120_000);
  expect(run.feed.status().isAtHead).toBe(false);
  run.node.isOn = true;
  await run.pass(40_000);
  expect(run.feed.status().isAtHead).toBe(true);
  expectWhole(run, START);
  expect(run.states).toEqual([true, false, true, false, true, false, true]);
});

test('where the node has pruned its history, it says from when it is complete, and continues', async () => {
  const run = await followChain(LONG, { startAt: START + 600_000, wantedFrom: START });
  run.node.manners.prunedBefore = run.node.chain.head.number - 200;
  await run.pass(20_000);
  const { completeUntil, isAtHead } = run.feed.status();
  const pruned = run.logger.lines.filter(({ message }) => message.startsWith('node history pruned'));
  const [first] = pruned;
  const completeFrom = Number(
    first !== undefined && 'completeFrom' in first.fields && first.fields.completeFrom,
  );
  expect(isAtHead).toBe(true);
  expect(completeFrom).toBeGreaterThan(START);
  expect(run.rows().length).toBe(
    (Math.floor((completeUntil ?? 0) / 1_000) - Math.floor(completeFrom / 1_000) + 1) * 2,
  );
  expect(pruned).toHaveLength(1);
});

test('a reorganisation that keeps the trades changes nothing; one that loses some is reported after 5 minutes', async () => {
  const run = await followChain(LONG, { startAt: START, wantedFrom: START });
  await run.pass(20_000);
  run.node.reorganise({ depth: 3, postpone: (index) => index % 4 === 0 });
  await run.pass(20_000);
  const before = run.rows().length;
  const lost = new Set(run.node.chain.blocks.slice(-2).flatMap(({ trades }) => trades));
  run.node.reorganise({ depth: 2, lose: (index) => lost.has(index) });
  await run.pass(290_000);
  expect(run.removed).toEqual([]);
  await run.pass(20_000);
  const transactions = [...lost].map((index) => LONG.trade(index).transactionHash).toSorted();
  expect(run.removed.map(({ row }) => row.kind)).toEqual(transactions.map(() => 'removed'));
  expect(run.removed.map(({ line }) => JSON.parse(line).transactionHash).toSorted()).toEqual(transactions);
  expect(run.removed.map(({ line }) => parseRow(line))).toEqual(run.removed.map(({ row }) => row));
  expect(run.feed.status().removed).toBe(transactions.length);
  const warned = run.logger.lines.filter(({ message }) => message.includes('removed a trade'));
  expect(warned.map(({ fields }) => fields)).toContainEqual({
    transaction: transactions[0],
    wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  });
  const keys = run.rows().map(({ row }) => (row.kind === 'trade' ? fillKey(row.trade) : ''));
  expect(new Set(keys).size).toBe(keys.length);
  expect(before).toBeLessThan(keys.length);
});

test('a fill whose token is unknown waits for it and holds up no other; what another source teaches is enough', async () => {
  const run = await followChain(TAPE, { startAt: START, wantedFrom: START });
  const [silent, listed] = [TAPE.trade(0).asset, TAPE.trade(1).asset];
  const market = run.tokens.known.get(silent) as TokenMarket;
  run.tokens.listed.delete(silent);
  for (const token of [silent, listed]) run.tokens.known.delete(token);
  await run.pass(20_000);
  const { waitingForToken, oldestUnknownToken } = run.feed.status();
  expect(oldestUnknownToken).toEqual({ tokenId: silent, since: START });
  expect(new Set(run.tokens.asked)).toEqual(new Set([silent, listed]));
  const waited = allTrades(TAPE).filter(
    ({ asset, timestamp }) => asset === silent && timestamp * 1_000 <= (run.feed.status().completeUntil ?? 0),
  );
  expect(waitingForToken).toBe(waited.length);
  expect(run.rows().some(({ row }) => row.kind === 'trade' && row.trade.asset === listed)).toBe(true);
  expect(run.rows().some(({ row }) => row.kind === 'trade' && row.trade.asset === silent)).toBe(false);
  run.tokens.known.set(silent, market);
  await run.pass(1_000);
  expect(run.feed.status()).toMatchObject({ waitingForToken: 0, oldestUnknownToken: null });
  expect(
    run
      .rows()
      .map(({ row }) => row.kind === 'trade' && row.trade.transaction)
      .toSorted(),
  ).toEqual(transactionsUntil(run.feed.status().completeUntil ?? 0).toSorted());
});

test('the address of the node is never logged, only its host, and a node of another chain gives nothing', async () => {
  const run = await followChain(TAPE, { startAt: START, path: '/v3/secret-key', chainId: 1 });
  await run.pass(10_000);
  run.node.isOn = false;
  await run.pass(30_000);
  const logged = JSON.stringify(run.logger.lines, (_, value) =>
    value instanceof Error ? value.message : value,
  );
  expect(logged).not.toContain('secret-key');
  expect(logged).toContain('the node is on chain 1, not on Polygon (137)');
  expect(logged).toContain(new URL(run.node.wsUrl).host);
  expect(run.feed.status()).toMatchObject({ isAtHead: false, completeUntil: null });
  expect(run.rows()).toEqual([]);
});

test('at the head it measures which share of the volume is not watched; before, that is not known', async () => {
  const run = await followChain(TAPE, { startAt: START });
  expect(run.feed.status().unwatched).toBeNull();
  await run.pass(65_000);
  const { unwatched } = run.feed.status();
  expect(unwatched).toMatchObject({ blocks: 5, combos: 0, otherContracts: 0 });
  expect(unwatched?.usdc).toBeGreaterThan(0);
});

test('what does not take its rows ends the run with that fault', async () => {
  const run = await followChain(TAPE, { startAt: START, onBlock: () => Promise.reject(new Error('full')) });
  await run.pass(10_000);
  await expect(run.ended).rejects.toThrow('full');
});
