import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../src/core/trades/source/source.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  big as bigIn,
  closeSeconds,
  eventLoopTurn,
  liveTrade,
  type Run,
  settledFacts,
  small,
  startIntake,
  tradesOf,
} from './intake-fixture.ts';

const UNSETTLED: WalletFactsAnswer = { kind: 'unsettled', reason: 'no date' };
const big = (wallet: string, at = START) => bigIn(wallet, at, wallet);
const countOf = (run: Run, wallet: string) =>
  tradesOf(run.handed).filter((trade) => trade.wallet === wallet).length;
const informed = (run: Run) => run.handed.filter(({ kind }) => kind === 'wallet').length;

function unreliableFacts(isDown: (wallet: string) => boolean) {
  const attempts = new Map<string, number>();
  const ask = async (wallet: string): Promise<WalletFactsAnswer> => {
    attempts.set(wallet, (attempts.get(wallet) ?? 0) + 1);
    if (isDown(wallet)) throw new Error('503');
    return settledFacts(wallet);
  };
  return { facts: { ask }, attempts };
}

function waitingTrades(wallets: number, each: number): LiveRow[] {
  return Array.from({ length: wallets * each }, (_, n) => {
    const [wallet, at] = [`0x${n % wallets}`, START + n];
    return n < wallets ? big(wallet, at) : liveTrade(tradeOf({ wallet, side: 'SELL', at }));
  });
}

test('a wallet that stays unsettled is asked about ten times within the hour, then judged without facts, counted and named', async () => {
  const asked: number[] = [];
  const outcomes: string[] = [];
  const clock = createFakeClock(START);
  const ask = async () => {
    asked.push(clock.now());
    return UNSETTLED;
  };
  const metrics = { ...noMetrics, factsAsked: (outcome: string) => void outcomes.push(outcome) };
  const run = startIntake({ clock, facts: { ask }, metrics });
  await run.intake.enqueue([big('0xa')]);
  await closeSeconds(run);
  expect(run.intake.status().oldest).toMatchObject({ wallet: '0xa', facts: 'unsettled' });
  await clock.advance(HOUR_MS);
  expect(countOf(run, '0xa')).toBe(1);
  expect(asked).toHaveLength(10);
  expect(outcomes).toEqual(['given_up']);
  expect(run.intake.status()).toMatchObject({ trades: 0, asking: 0, givenUp: 1, oldest: null });
  expect(run.logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ wallet: '0xa', trades: 1 }) }),
  );
  expect(clock.sleepers).toBe(0);
});

test('a wallet that was given up is not asked about again for an hour, and its trades wait for nothing', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return UNSETTLED;
  };
  const run = startIntake({ facts: { ask } });
  await run.intake.enqueue([big('0xa')]);
  await closeSeconds(run);
  while (run.intake.status().givenUp === 0) await run.clock.advance(MINUTE_MS);
  await run.intake.enqueue([big('0xa', START + HOUR_MS)]);
  await closeSeconds(run);
  expect({ asked, handed: countOf(run, '0xa') }).toEqual({ asked: 10, handed: 2 });
  await run.clock.advance(HOUR_MS);
  await run.intake.enqueue([big('0xa', START + 2 * HOUR_MS)]);
  await closeSeconds(run);
  expect(asked).toBe(11);
});

test('questions that failed are asked again as soon as one of them is answered', async () => {
  const clock = createFakeClock(START);
  const { facts } = unreliableFacts(() => clock.now() < START + 2 * HOUR_MS);
  // Each waits at its own pace, so that one is the first to find the market again.
  let next = 0;
  const random = () => (next++ * 0.37) % 1;
  const run = startIntake({ clock, facts, random });
  await run.intake.enqueue(Array.from({ length: 20 }, (_, n) => big(`0x${n}`)));
  await closeSeconds(run);
  await clock.advance(2 * HOUR_MS - 2 * SECOND_MS);
  expect(informed(run)).toBe(0);
  while (informed(run) === 0) await clock.advance(SECOND_MS);
  await clock.advance(SECOND_MS);
  expect(informed(run)).toBe(20);
  expect(run.intake.status()).toMatchObject({ trades: 0, givenUp: 0 });
});

test('while all facts fail, trades that need none are passed on immediately, however many wait, and what waited gets its facts in the end', async () => {
  let isDown = true;
  const waiting: number[] = [];
  const metrics = { ...noMetrics, tradesWaiting: (count: number) => void waiting.push(count) };
  const run = startIntake({ facts: unreliableFacts(() => isDown).facts, metrics });
  await run.intake.enqueue(waitingTrades(80, 520));
  await closeSeconds(run);
  expect(run.intake.status()).toMatchObject({ trades: 41_600, wallets: 80, givenUp: 0 });
  expect(run.intake.status().oldest).toMatchObject({ wallet: '0x0', at: START, facts: 'asked' });

  for (let minute = 1; minute <= 5; minute += 1) {
    const wallet = `0xsmall${minute}`;
    await run.intake.enqueue([small(wallet, START + minute * MINUTE_MS)]);
    await closeSeconds(run);
    expect(countOf(run, wallet)).toBe(1);
    await run.clock.advance(MINUTE_MS);
  }
  expect(run.intake.status()).toMatchObject({ wallets: 76, givenUp: 4, oldest: { facts: 'failing' } });
  expect(waiting.at(-1)).toBe(76 * 520);

  isDown = false;
  await run.clock.advance(10 * MINUTE_MS);
  expect(informed(run)).toBe(76);
  expect(run.intake.status()).toMatchObject({ trades: 0, givenUp: 4 });
});

test('while facts come, a full intake gives up nothing: it takes more when there is room', async () => {
  const answers: (() => void)[] = [];
  const ask = (wallet: string) =>
    new Promise<WalletFactsAnswer>((resolve) => answers.push(() => resolve(settledFacts(wallet))));
  const run = startIntake({ facts: { ask } });
  const offered = run.intake.enqueue(waitingTrades(100, 510));
  await eventLoopTurn();
  await run.clock.advance(5 * MINUTE_MS);
  expect(run.intake.status().givenUp).toBe(0);
  while (run.intake.status().trades > 0) {
    for (const answer of answers.splice(0)) answer();
    await run.clock.advance(SECOND_MS);
  }
  await offered;
  expect(run.intake.status().givenUp).toBe(0);
});
