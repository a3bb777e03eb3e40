import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  big,
  closeSeconds,
  eventLoopTurn,
  heldFacts,
  liveTrade,
  type Run,
  small,
  startIntake,
  told,
} from './intake-fixture.ts';

test('facts are delayed from 5 s after they were requested until the market answers, if only that it knows none', async () => {
  let answer: (() => WalletFactsAnswer) | null = null;
  const ask = async (): Promise<WalletFactsAnswer> => {
    if (answer === null) throw new Error('down');
    return answer();
  };
  const run = startIntake({ facts: { ask } });
  await run.intake.enqueue([big('0xa')]);
  await closeSeconds(run);
  const since = run.clock.now();
  await run.clock.advance(2 * SECOND_MS);
  await run.intake.enqueue([big('0xb'), small('0xdust')]);
  await closeSeconds(run);
  expect(run.intake.status().factsDelayed).toBeNull();
  await run.clock.advance(1.5 * SECOND_MS);
  expect(run.intake.status().factsDelayed).toEqual({ waiting: 2, since });

  answer = () => ({ kind: 'unsettled', reason: 'no date' });
  await run.clock.advance(MINUTE_MS);
  expect(run.intake.status()).toMatchObject({ trades: 2, factsDelayed: null });
});

test('a trade that waited 20 hours for facts is passed on without them, which is logged', async () => {
  const ask = async (): Promise<WalletFactsAnswer> => {
    throw new Error('down');
  };
  const run = startIntake({ facts: { ask } });
  await run.intake.enqueue([big('0xa')]);
  await run.intake.enqueue([small('0xb', START + 20 * HOUR_MS - 1)]);
  await closeSeconds(run);
  await run.clock.advance(2 * HOUR_MS);
  expect(told(run.handed)).toEqual(['trade 0xb']);
  await run.intake.enqueue([small('0xc', START + 20 * HOUR_MS)]);
  await closeSeconds(run);
  await run.clock.advance(30 * MINUTE_MS);
  expect(told(run.handed)).toEqual(['trade 0xb', 'trade 0xc', 'market 0xm1', 'trade 0xa']);
  expect(run.intake.status().givenUp).toBe(1);
  expect(run.logger.lines).toContainEqual(
    expect.objectContaining({
      message: 'wallet judged without facts',
      fields: expect.objectContaining({ wallet: '0xa', trades: 1 }),
    }),
  );
});

test('while facts may still come, no trade made more than 12 hours later is passed on', async () => {
  const { facts, settle } = heldFacts();
  const run = startIntake({ facts });
  await run.intake.enqueue([
    big('0xa'),
    small('0xb', START + 12 * HOUR_MS),
    small('0xc', START + 12 * HOUR_MS + SECOND_MS),
  ]);
  await closeSeconds(run);
  expect(told(run.handed)).toEqual(['trade 0xb']);
  settle('0xa');
  await run.clock.advance(SECOND_MS);
  expect(told(run.handed).slice(1)).toEqual(['wallet 0xa', 'market 0xm1', 'trade 0xa', 'trade 0xc']);
});

describe('buys of one outcome that could make a cluster', () => {
  const fresh = async (run: Run, settle: (wallet: string) => void, wallet: string) => {
    await run.intake.enqueue([liveTrade(tradeOf({ wallet, usdc: 300, marketId: '0xfirst', asset: '0' }))]);
    await closeSeconds(run);
    settle(wallet);
    await run.clock.advance(SECOND_MS);
    run.handed.length = 0;
  };
  const inOther = (wallet: string) =>
    liveTrade(tradeOf({ wallet, usdc: 300, marketId: '0xfirst', asset: '0' }));

  test('keep their order behind one whose facts are requested; other outcomes continue', async () => {
    const { facts, settle } = heldFacts();
    const run = startIntake({ facts });
    await fresh(run, settle, '0xknown');
    await run.intake.enqueue([big('0xa'), inOther('0xknown'), big('0xknown'), small('0xdust')]);
    await closeSeconds(run);
    expect(told(run.handed)).toEqual(['trade 0xdust', 'trade 0xknown']);
    settle('0xa');
    await run.clock.advance(SECOND_MS);
    expect(told(run.handed).filter((row) => row.startsWith('trade'))).toEqual(
      ['0xdust', '0xknown', '0xa', '0xknown'].map((wallet) => `trade ${wallet}`),
    );
  });

  test.each<[string, (answer: ReturnType<typeof heldFacts>['answer']) => void, number]>([
    ['are unsettled for 5 s', (answer) => answer('0xa', { kind: 'unsettled', reason: '' }), 5 * SECOND_MS],
    ['fail to come for 15 minutes', () => {}, 15 * MINUTE_MS],
  ])('wait no longer behind facts that %s', async (_name, happen, waitMs) => {
    const { facts, settle, answer } = heldFacts();
    const run = startIntake({ facts });
    await fresh(run, settle, '0xknown');
    await run.intake.enqueue([big('0xa'), big('0xknown')]);
    await closeSeconds(run);
    expect(told(run.handed)).toEqual([]);
    happen(answer);
    await eventLoopTurn();
    await run.clock.advance(waitMs);
    expect(told(run.handed)).toContain('trade 0xknown');
    expect(told(run.handed)).not.toContain('trade 0xa');
  });
});
