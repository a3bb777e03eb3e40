import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { resolutionOf } from '../../../../src/core/alerts/settlement.ts';
import {
  type SettledAlerts,
  SettlementReader,
} from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import type { Database } from '../../../../src/core/database.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { alertOf, candidateOf } from '../../../support/alerts.ts';
import { ledgerParts } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';
import { settleMarket, storeAlerts } from '../../../support/stored.ts';
import { wholeLog } from '../../../support/whole-log.ts';

const OUTCOMES = ['Yes', 'No'];

const market = fc.constantFrom('0xm1', '0xm2', '0xm3');
const alertStep = fc.record({
  kind: fc.constant('alert' as const),
  market,
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  outcome: fc.constantFrom(...OUTCOMES),
});
const settleStep = fc.record({
  kind: fc.constant('settle' as const),
  market,
  payouts: fc.constantFrom([1, 0], [0, 1], [0.5, 0.5]),
});
const steps = fc.array(fc.oneof(alertStep, settleStep, settleStep), { minLength: 6, maxLength: 24 });
type MadeBy<Made> = Made extends fc.Arbitrary<infer Value> ? Value : never;
type Step = MadeBy<typeof alertStep> | MadeBy<typeof settleStep>;
type Parts = ReturnType<typeof ledgerParts>;

async function record({ ledger }: Parts, step: Step, index: number): Promise<void> {
  const at = START + index * 1_000;
  if (step.kind === 'settle') {
    await ledger.resolve({ id: step.market, outcomes: OUTCOMES, payouts: step.payouts }, at);
    return;
  }
  const { side, outcome, market: marketId } = step;
  const candidate = candidateOf({
    ...{ key: `order ${index}`, marketId, side, outcome, tradedAt: at },
    outcomeIndex: OUTCOMES.indexOf(outcome),
  });
  await ledger.append([{ candidate, tradedAt: at, detectedAt: at, isHistory: false }]);
}

const resultsOf = (alerts: readonly Alert[]) =>
  alerts.map(({ id, resolution }) => ({ id, won: resolution?.won, profit: resolution?.profitUsdc }));
const shown = ({ settlement: { number, kind, log }, alerts }: SettledAlerts) => ({
  ...{ number, kind, log },
  alerts: resultsOf(alerts),
});

async function expected(database: Database) {
  const alerts = await database.alerts.after(0, 1_000);
  const entries = (await wholeLog(database)).filter(({ kind }) =>
    ['settlement', 'correction'].includes(kind),
  );
  return entries.map(({ kind, seq, hash, body }, index) => {
    const payouts = body['payouts'] as number[];
    const earlier = alerts.filter(
      ({ marketId, log }) => marketId === body['market_id'] && (log?.seq ?? 0) < seq,
    );
    const settled = earlier.map((alert) => ({
      ...alert,
      resolution: resolutionOf(alert, { outcomes: OUTCOMES, payouts }),
    }));
    return { number: index + 1, kind, log: { seq, hash }, alerts: resultsOf(settled) };
  });
}

onEachDatabase('the sequence of settlements', (fixture) => {
  const numRuns = () => (fixture.url.startsWith('sqlite') ? 12 : 2);

  test('one that another process has just entered is found by its number, however seldom the log is read', async () => {
    const { database } = fixture;
    const reader = new SettlementReader(database);
    await database.alertIndex.follow();
    await settleMarket(await fixture.another(), { marketId: '0xm1' });
    expect(await reader.last()).toBe(0);
    expect(await reader.one(1)).toMatchObject({ settlement: { marketId: '0xm1' } });
    expect(await reader.one(2)).toBeNull();
  });

  test('read by pages in any order of alerts, settlements and corrections, is that of the log', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (made, pageSize) => {
        const database = await fixture.fresh();
        const reader = new SettlementReader(database);
        const found: SettledAlerts[] = [];
        const readPage = async () => {
          await reader.sequence.refresh();
          const first = found.length + 1;
          const last = Math.min(reader.sequence.last, found.length + pageSize);
          if (first <= last) found.push(...(await reader.range(first, last)));
          return found.length < reader.sequence.last;
        };
        const parts = ledgerParts(database);
        await parts.ledger.open(1);
        for (const [index, step] of made.entries()) {
          await record(parts, step, index);
          await readPage();
        }
        while (await readPage());

        const all = await expected(database);
        expect(found.map(shown)).toEqual(all);
        const another = new SettlementReader(database);
        await another.sequence.refresh();
        const again: SettledAlerts[] = [];
        while (again.length < another.sequence.last)
          again.push(...(await another.range(again.length + 1, again.length + pageSize)));
        expect(again.map(shown)).toEqual(all);
      }),
      { numRuns: numRuns() },
    );
  });

  test('the alerts of a market with many are read to the end, each once, and only those from before the entry', async () => {
    const { database } = fixture;
    const early = Array.from({ length: 45 }, (_, index) => alertOf({ id: index + 1 }));
    await storeAlerts(database, ...early);
    await settleMarket(database, { payouts: [0, 1] });
    await storeAlerts(database, alertOf({ id: 46 }));
    const reader = new SettlementReader(database);
    await reader.sequence.refresh();

    const ids: number[] = [];
    const more: boolean[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await reader.one(1, { afterAlert: ids.at(-1) ?? 0, limit: 20 });
      ids.push(...(page?.alerts ?? []).map(({ id }) => id));
      hasMore = page?.hasMore ?? false;
      more.push(hasMore);
    }

    expect(ids).toEqual(early.map(({ id }) => id));
    expect(more).toEqual([true, true, false]);
    const settled = await reader.one(1, { limit: 20 });
    const at =
      (wanted: number) =>
      (_: unknown, { id }: Alert) =>
        id === wanted;
    if (settled === null) throw new Error('no outcome');
    expect(await reader.concerned(settled, ['a', 'b'], at(45))).toEqual(['a', 'b']);
    expect(await reader.concerned(settled, ['a', 'b'], at(46))).toEqual([]);
  });

  test('an alert is as it was published, whatever became of its market later', async () => {
    const parts = ledgerParts(fixture.database);
    await parts.ledger.open(1);
    const alert = { kind: 'alert', market: '0xm1', side: 'BUY', outcome: 'Yes' } as const;
    const settle = { kind: 'settle', market: '0xm1' } as const;
    await record(parts, alert, 1);
    await record(parts, { ...settle, payouts: [1, 0] }, 2);
    await record(parts, alert, 3);
    await record(parts, { ...settle, payouts: [0, 1] }, 4);
    const stored = await fixture.database.alerts.after(0, 9);
    const reader = new SettlementReader(fixture.database);

    const published = stored.map((one) => reader.asPublished(one));

    expect(stored.map(({ resolution }) => resolution?.won)).toEqual([false, false]);
    expect(published.map(({ resolution }) => resolution?.won)).toEqual([undefined, true]);
  });
});
