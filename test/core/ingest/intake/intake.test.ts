import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/duration.ts';
import type { LiveRow } from '../../../../src/core/source/source.ts';
import type { WalletFactsAnswer } from '../../../../src/core/source/wallet-facts-source.ts';
import type { Row } from '../../../../src/core/trade.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  closeSeconds,
  eventLoopTurn,
  live,
  liveMarket,
  liveTrade,
  type Run,
  settledFacts,
  startIntake,
} from './intake-fixture.ts';

const small = (wallet: string, at = START) => liveTrade(tradeOf({ wallet, usdc: 10, at }));
const big = (wallet: string, at = START, marketId = '0xm1') =>
  liveTrade(tradeOf({ wallet, usdc: 5_000, at, marketId }));
/** All but close rows. */
const told = (rows: readonly Row[]) =>
  rows.flatMap((row) => {
    if (row.kind === 'close' || row.kind === 'removed') return [];
    if (row.kind === 'trade') return [`trade ${row.trade.wallet}`];
    return row.kind === 'wallet' ? [`wallet ${row.facts.wallet}`] : [`market ${row.market.id}`];
  });

/** Facts that come when they are let. */
function heldFacts() {
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

test('a trade that needs nothing is passed on when its second is closed, and does not wait for one that needs facts', async () => {
  const { facts, settle } = heldFacts();
  const run = startIntake({ facts });
  await run.intake.enqueue([big('0xa'), small('0xb'), small('0xa'), small('0xc')]);
  await closeSeconds(run);
  expect(told(run.handed)).toEqual(['trade 0xb', 'trade 0xc']);
  expect(run.intake.status()).toMatchObject({
    trades: 2,
    wallets: 1,
    asking: 1,
    oldest: { wallet: '0xa', at: START, trades: 2, facts: 'asked' },
  });

  settle('0xa');
  await run.clock.advance(SECOND_MS);
  expect(told(run.handed).slice(2)).toEqual(['wallet 0xa', 'market 0xm1', 'trade 0xa', 'trade 0xa']);
  expect(run.intake.status()).toMatchObject({ trades: 0, wallets: 0, oldest: null });
  run.stop();
  await run.ended;
});

test('a trade that goes over together with its wallet’s facts needs no others', async () => {
  const { facts, settle, asked } = heldFacts();
  const run = startIntake({ facts });
  run.hold = true;
  await run.intake.enqueue([big('0xa'), small('0xb')]);
  await closeSeconds(run);
  settle('0xa');
  await run.clock.advance(SECOND_MS);
  await run.intake.enqueue([big('0xa', START + 1)]);
  await closeSeconds(run);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  expect(told(run.handed).slice(1)).toEqual(['wallet 0xa', 'market 0xm1', 'trade 0xa', 'trade 0xa']);
  expect(asked).toEqual(['0xa']);
  run.stop();
});

test('a trade that was judged, is in flight or comes twice is skipped and counted', async () => {
  const counts = { new: 0, known: 0 };
  const metrics = {
    ...noMetrics,
    feedTrades(kind: 'new' | 'known', n: number) {
      counts[kind] += n;
    },
  };
  const run = startIntake({ ...heldFacts(), metrics });
  const [one, two] = [small('0xa'), big('0xb')];
  await run.intake.enqueue([one, one, two]);
  expect(run.intake.isInFlight((one.row as Extract<Row, { kind: 'trade' }>).trade)).toBe(true);
  await closeSeconds(run);
  await run.intake.enqueue([one, two]);
  await closeSeconds(run);
  expect(told(run.handed)).toEqual(['trade 0xa']);
  expect(counts).toEqual({ new: 2, known: 3 });
  run.stop();
});

test('oldestWaiting covers the queue, open seconds, those aside, and the batch that is not judged yet', async () => {
  const run = startIntake(heldFacts());
  expect(run.intake.oldestWaiting()).toBeNull();
  run.hold = true;
  await run.intake.enqueue([big('0xa', START + 5), small('0xb', START + 3)]);
  await closeSeconds(run);
  await run.intake.enqueue([small('0xc', START + 4)]);
  expect(run.intake.oldestWaiting()).toBe(START + 3);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  expect(run.intake.oldestWaiting()).toBe(START + 4);
  await closeSeconds(run);
  expect(run.intake.oldestWaiting()).toBe(START + 5);
  run.stop();
});

test('failures and unsettled answers are asked again, later and later', async () => {
  const at: number[] = [];
  const answers: (WalletFactsAnswer | Error)[] = [
    new Error('down'),
    new Error('down'),
    { kind: 'unsettled', reason: 'no activity' },
    { kind: 'unsettled', reason: 'no activity' },
  ];
  const clock = startIntake().clock;
  const ask = async (wallet: string) => {
    at.push((clock.now() - START) / SECOND_MS);
    const answer = answers.shift() ?? settledFacts(wallet);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const run = startIntake({ clock, facts: { ask } });
  await run.intake.enqueue([big('0xa')]);
  await eventLoopTurn();
  await clock.advance(5 * MINUTE_MS);
  // Its second is closed after 2 s; then 1 s, 2 s, 4 s and 8 s, of each three quarters with a chance of one half.
  expect(at).toEqual([1.5, 2.25, 3.75, 6.75, 12.75]);
  expect(told(run.handed)).toHaveLength(3);
  run.stop();
});

test('a market that cannot be described is waited for a minute, by others not at all', async () => {
  const asked: (readonly string[])[] = [];
  const describe = async (ids: readonly string[]) => {
    asked.push(ids);
    return ids.filter((id) => id !== '0xdark').map(liveMarket);
  };
  const run = startIntake({ markets: { describe } });
  await run.intake.enqueue([
    big('0xa', START, '0xdark'),
    big('0xb', START, '0xm1'),
    big('0xc', START, '0xm1'),
  ]);
  await closeSeconds(run);
  await run.clock.advance(59 * SECOND_MS);
  expect(asked[0]).toEqual(['0xdark', '0xm1']);
  expect(asked.flat().filter((id) => id === '0xm1')).toHaveLength(1);
  expect(told(run.handed)).toEqual(['wallet 0xb', 'market 0xm1', 'trade 0xb', 'wallet 0xc', 'trade 0xc']);
  await run.clock.advance(SECOND_MS);
  expect(told(run.handed).slice(5)).toEqual(['wallet 0xa', 'trade 0xa']);
  await run.intake.enqueue([big('0xd', START, '0xdark')]);
  await closeSeconds(run);
  expect(told(run.handed).slice(7)).toEqual(['wallet 0xd', 'trade 0xd']);
  run.stop();
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
  run.stop();
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
  run.stop();
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
    run.stop();
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
    run.stop();
  });
});

test('a wallet whose facts always fail holds the others up for two hours at most', async () => {
  const ask = async (wallet: string): Promise<WalletFactsAnswer> => {
    if (wallet === '0xbad') throw new Error('500');
    return settledFacts(wallet);
  };
  const run = startIntake({ facts: { ask } });
  await run.intake.enqueue([
    big('0xbad'),
    small('0xb', START + 13 * HOUR_MS),
    big('0xc', START + 21 * HOUR_MS),
  ]);
  await closeSeconds(run);
  await run.clock.advance(2 * HOUR_MS);
  expect(told(run.handed)).toContain('trade 0xb');
  expect(told(run.handed)).toContain('trade 0xc');
  await run.clock.advance(30 * MINUTE_MS);
  expect(told(run.handed).at(-1)).toBe('trade 0xbad');
  expect(run.intake.status().givenUp).toBe(1);
  run.stop();
});

test('a wallet of unknown age that fills the intake is given up, and the market continues', async () => {
  const ask = async (wallet: string): Promise<WalletFactsAnswer> =>
    wallet === '0xbot' ? { kind: 'unsettled', reason: 'none yet' } : settledFacts(wallet);
  const run = startIntake({ facts: { ask } });
  const asked = run.intake.enqueue(
    Array.from({ length: 50_001 }, (_, i) =>
      i === 0 ? big('0xbot') : liveTrade(tradeOf({ wallet: '0xbot', side: 'SELL', at: START + i })),
    ),
  );
  await eventLoopTurn();
  await run.clock.advance(MINUTE_MS);
  await asked;
  await run.intake.enqueue([small('0xb')]);
  await closeSeconds(run);
  expect(told(run.handed)).toContain('trade 0xb');
  expect(run.handed.length).toBeGreaterThan(50_000);
  expect(run.intake.status().givenUp).toBe(1);
  expect(run.logger.lines.some(({ message }) => message.includes('judged without facts'))).toBe(true);
  run.stop();
});

test('at most 500 rows go over together, and an offer beyond 50,000 trades waits until there is room', async () => {
  const run = startIntake();
  run.hold = true;
  const trades = Array.from({ length: 50_010 }, (_, n) => small(`0x${n}`, START + n * SECOND_MS));
  const last = small('0xlast', START + DAY_MS);
  let isTaken = false;
  const offered = run.intake.enqueue(trades).then(() => {
    isTaken = true;
  });
  const after = run.intake.enqueue([last]);
  await eventLoopTurn();
  await run.intake.enqueue([liveMarket('0xm9')]);
  await eventLoopTurn();
  expect(isTaken).toBe(false);
  run.hold = false;
  await Promise.all([offered, after]);
  await closeSeconds(run);
  while (run.intake.oldestWaiting() !== null) await eventLoopTurn();
  expect(Math.max(...run.batches.map((batch) => told(batch).length))).toBe(500);
  const expected = [...trades, last].map(({ row }) => row);
  expect(told(run.handed.filter(({ kind }) => kind === 'trade'))).toEqual(told(expected));
  run.stop();
});

test('an abort ends every question and every offer that waits, leaves no sleeper, and still says what was not judged', async () => {
  const ask = (_wallet: string, _before: number, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const run = startIntake({ facts: { ask }, markets: { describe: async () => [] } });
  await run.intake.enqueue(Array.from({ length: 40 }, (_, n) => big(`0x${n}`, START, `0xm${n}`)));
  await closeSeconds(run);
  run.hold = true;
  const blocked = run.intake.enqueue(Array.from({ length: 50_000 }, (_, n) => small(`0x${n}`)));
  run.stop();
  await Promise.all([run.ended, blocked]);
  await eventLoopTurn();
  expect(run.clock.sleepers).toBe(0);
  expect(run.intake.status()).toMatchObject({ asking: 0 });
  expect(run.intake.oldestWaiting()).toBe(START);
});

test('facts that are down for ten minutes delay alerts and lose none', async () => {
  const rows: LiveRow[] = Array.from({ length: 240 }, (_, n) =>
    n % 3 === 0 ? big(`0x${n % 40}`, START + n * 5_000) : small(`0x${n % 40}`, START + n * 5_000),
  );
  const facts = (isDown: () => boolean) => ({
    ask: async (wallet: string) => {
      if (isDown()) throw new Error('down');
      return settledFacts(wallet, START - DAY_MS);
    },
  });
  const play = async (downUntil: number) => {
    const clock = startIntake().clock;
    const run = startIntake({ clock, facts: facts(() => clock.now() < downUntil) });
    let alertsAtTenMinutes = 0;
    for (const row of rows) {
      await run.intake.enqueue([row]);
      await clock.advance(5_000);
      if (clock.now() <= START + 10 * MINUTE_MS) alertsAtTenMinutes = run.alerts.length;
    }
    await clock.advance(2 * MINUTE_MS);
    run.stop();
    return { alerts: run.alerts.toSorted(), alertsAtTenMinutes };
  };

  const [up, down] = [await play(0), await play(START + 10 * MINUTE_MS)];

  expect(up.alerts.length).toBeGreaterThan(20);
  expect(up.alertsAtTenMinutes).toBeGreaterThan(10);
  expect(down.alertsAtTenMinutes).toBe(0);
  expect(down.alerts.filter((key) => key.startsWith('w'))).toEqual(
    up.alerts.filter((key) => key.startsWith('w')),
  );
});

test('market rows go straight through, in the order offered, and do not wait for seconds to close', async () => {
  const run = startIntake();
  await run.intake.enqueue([liveMarket('0xm1'), small('0xa'), liveMarket('0xm2')]);
  await eventLoopTurn();
  expect(told(run.handed)).toEqual(['market 0xm1', 'market 0xm2']);
  expect(live(run.handed[0] as Row)).toEqual(liveMarket('0xm1'));
  run.stop();
});
