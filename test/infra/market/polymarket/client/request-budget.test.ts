import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestPurpose } from '../../../../../src/infra/market/polymarket/client/market-client.ts';
import {
  limitsOf,
  type RequestBudget,
} from '../../../../../src/infra/market/polymarket/client/request-budget.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { budgetOf } from '../../../../support/polymarket/budget-of.ts';

const never = new AbortController().signal;
const trades = (purpose: RequestPurpose) => ({ api: 'data', path: '/v2/trades', purpose }) as const;

function askMany(budget: RequestBudget, clock: { now(): number }) {
  const sent: { at: number; path: string; api: 'data' | 'gamma'; purpose: RequestPurpose }[] = [];
  return {
    sent,
    ask(request: Parameters<typeof budget.take>[0], signal = never) {
      return budget.take(request, signal).then(
        () => void sent.push({ at: clock.now(), ...request }),
        () => {},
      );
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['data', '/v2/trades', 135],
  ['data', '/v2/user-stats', 360],
  ['data', '/v2/activity', 90],
  ['data', '/v2/status', 45],
  ['gamma', '/markets/keyset', 135],
  ['gamma', '/events', 225],
  ['gamma', '/public-profile', 1_800],
] as const)('%s %s: at most %i, 45 percent of what is published', (api, path, most) => {
  expect(Math.min(...limitsOf(api, path).map((limit) => limit.most))).toBe(most);
});

test('a request counts from when it was answered: it may have reached the market only then', async () => {
  const clock = createFakeClock(0);
  const budget = budgetOf(clock);
  const answers = await Promise.all(Array.from({ length: 135 }, () => budget.take(trades('poll'), never)));
  await clock.advance(4_000);
  for (const answered of answers) answered();
  const { sent, ask } = askMany(budget, clock);
  void ask(trades('poll'));
  await clock.advance(10_000);
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toHaveLength(1);
});

test('sweeps and facts leave polling its own part of the trades requests', async () => {
  const clock = createFakeClock(0);
  const { sent, ask } = askMany(budgetOf(clock), clock);
  for (const purpose of ['sweep', 'facts'] as const) for (let i = 0; i < 200; i++) void ask(trades(purpose));
  for (let i = 0; i < 49; i++) void ask(trades('poll'));
  await settled();
  const count = (purpose: string) => sent.filter((one) => one.purpose === purpose).length;
  expect(['sweep', 'facts', 'poll'].map(count)).toEqual([20, 60, 49]);
});

test('one that gives up gives its place back, and leaves no timer', async () => {
  const clock = createFakeClock(0);
  const budget = budgetOf(clock);
  for (let i = 0; i < 135; i++) await budget.take(trades('poll'), never);
  const over = new AbortController();
  const given = budget.take(trades('poll'), over.signal);
  const next = budget.take(trades('poll'), never);
  over.abort(new Error('stopped'));
  await expect(given).rejects.toThrow('stopped');
  await clock.advance(10_001);
  await next;
  expect(clock.sleepers).toBe(0);
});

test('a pause holds that path; the pauses of two paths hold all of their API, and nothing of the other', async () => {
  const clock = createFakeClock(0);
  const budget = budgetOf(clock);
  const { sent, ask } = askMany(budget, clock);
  const stats = { api: 'data', path: '/v2/user-stats', purpose: 'facts' } as const;
  const others = [
    { ...stats, path: '/v2/status' },
    { api: 'gamma', path: '/events', purpose: 'markets' },
  ] as const;
  const askAll = () => [trades('poll'), stats, ...others].map((request) => ask(request));
  const taken = () => sent.splice(0).map(({ path }) => path);
  budget.routes.limit(stats, 90_000);
  void askAll();
  await settled();
  expect(taken()).toEqual(['/v2/trades', '/v2/status', '/events']);

  budget.routes.limit(trades('poll'), 5_000);
  void askAll();
  await settled();
  expect(taken()).toEqual(['/events']);
  await clock.advance(5_000);
  expect(taken()).toEqual(['/v2/trades', '/v2/status']);
  await clock.advance(85_000);
  expect(taken()).toEqual(['/v2/user-stats', '/v2/user-stats']);
  expect(clock.sleepers).toBe(0);
});

test('a clock that is set back neither stops requests nor lets more through', async () => {
  let shift = 0;
  const clock = createFakeClock(1e9);
  const budget = budgetOf({ ...clock, now: () => clock.now() - shift });
  const { sent, ask } = askMany(budget, clock);
  for (let i = 0; i < 150; i++) void ask(trades('poll'));
  await settled();
  shift = 3_600_000;
  void ask(trades('poll'));
  await settled();
  expect(sent).toHaveLength(135);
  await clock.advance(10_002);
  expect(sent).toHaveLength(151);
});

test('whatever is asked when: no window of 10 s holds more than any limit or share', async () => {
  const request = fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4_000 })),
    count: fc.integer({ min: 1, max: 120 }),
    path: fc.constantFrom('/v2/activity', '/v2/trades', '/v2/user-stats'),
    purpose: fc.constantFrom<RequestPurpose>('poll', 'sweep', 'facts'),
    givesUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 25 }), async (asked) => {
      const clock = createFakeClock(0);
      const { sent, ask } = askMany(budgetOf(clock), clock);
      for (const { wait, count, path, purpose, givesUp } of asked) {
        await clock.advance(wait);
        const over = new AbortController();
        for (let i = 0; i < count; i++)
          void ask({ api: 'data', path, purpose }, givesUp ? over.signal : never);
        if (givesUp) over.abort();
        await settled();
      }
      // Three thousand requests of a sweep, twenty in 10 s, take the longest.
      await clock.advance(1_600_000);
      expect(clock.sleepers).toBe(0);
      const most = (part: typeof sent) =>
        Math.max(
          0,
          ...part.map((one, i) => part.filter(({ at }, j) => j >= i && at <= one.at + 10_000).length),
        );
      const of = (name: string) => sent.filter(({ path }) => path === name);
      const by = (purpose: RequestPurpose, list = sent) => list.filter((one) => one.purpose === purpose);
      const lists = of('/v2/trades');
      expect(most(lists)).toBeLessThanOrEqual(135);
      expect(most(by('facts', lists))).toBeLessThanOrEqual(60);
      expect(most(by('sweep', lists))).toBeLessThanOrEqual(20);
      expect(most(of('/v2/activity'))).toBeLessThanOrEqual(90);
      expect(most(sent)).toBeLessThanOrEqual(360);
      expect(most(by('facts'))).toBeLessThanOrEqual(220);
    }),
    { numRuns: 15 },
  );
});
