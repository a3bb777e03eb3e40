import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followLedger, ledgerEnd } from '../../../../src/core/alerts/ledger/feed.ts';
import type { MarketSettlement } from '../../../../src/core/alerts/settlement.ts';
import { alertOf, settlementOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';

const outcomeOf = (seq: number) => settlementOf({ marketId: `0xm${seq}`, log: { seq, hash: '' } });

function followed() {
  const clock = createFakeClock(START);
  const stored = {
    alerts: [1, 2].map((id) => alertOf({ id })),
    outcomes: [outcomeOf(1)],
    isAway: false,
    isHanging: false,
  };
  const announced: string[] = [];
  const warnings: string[] = [];
  const read = async <Row>(rows: readonly Row[], isNew: (row: Row) => boolean, limit: number) => {
    return rows.filter(isNew).slice(0, limit);
  };
  const index = {
    async follow() {
      if (stored.isAway) throw new Error('away');
      if (stored.isHanging) await clock.sleep(4_000);
    },
    unfollow() {
      announced.push('no longer followed');
    },
  };
  const stores = {
    index,
    alerts: {
      last: async () => stored.alerts.at(-1) ?? null,
      after: (id: number, limit: number) => read(stored.alerts, (alert) => alert.id > id, limit),
    },
    settlements: {
      last: async () => stored.outcomes.at(-1)?.log.seq ?? 0,
      after: (seq: number, limit: number) => read(stored.outcomes, ({ log }) => log.seq > seq, limit),
    },
  };
  const feed = {
    newest: 0,
    announce: (...alerts: readonly { id: number }[]) => {
      for (const { id } of alerts) announced.push(`alert ${id}`);
    },
    announceSettlement: ({ log }: MarketSettlement) => void announced.push(`outcome ${log.seq}`),
  };
  const warn = (_fields: object, message: string) => void warnings.push(message);
  const logger = { debug: () => {}, info: () => {}, warn, error: () => {}, fatal: () => {} };
  const stop = new AbortController();
  const follow = async () => {
    onTestFinished(() => stop.abort());
    void followLedger({ ...stores, feed, clock, logger }, await ledgerEnd(stores), stop.signal);
    await setImmediate();
  };
  return { clock, stored, feed, announced, warnings, follow, stop };
}

test('what another process writes is announced within 250 ms, once and in order, and nothing from before', async () => {
  const { clock, stored, announced, follow } = followed();
  await follow();
  stored.alerts.push(...[3, 4].map((id) => alertOf({ id })));
  stored.outcomes.push(outcomeOf(2));
  await clock.advance(250);
  expect(announced).toEqual(['alert 3', 'alert 4', 'outcome 2']);
  stored.alerts.push(alertOf({ id: 5 }));
  await clock.advance(1_000);
  expect(announced).toEqual(['alert 3', 'alert 4', 'outcome 2', 'alert 5']);
});

test('what this process has announced itself is not read again', async () => {
  const { clock, stored, feed, announced, follow } = followed();
  await follow();
  stored.alerts.push(...[3, 4, 5].map((id) => alertOf({ id })));
  feed.newest = 4;
  await clock.advance(250);
  expect(announced).toEqual(['alert 5']);
});

test('a ledger that is away is asked again every second, with one warning, and nothing of it is missed', async () => {
  const { clock, stored, announced, warnings, follow } = followed();
  stored.alerts.length = 0;
  stored.outcomes.length = 0;
  await follow();
  stored.isAway = true;
  await clock.advance(5_000);
  expect(new Set(warnings)).toEqual(new Set([expect.stringContaining('retrying every second')]));
  stored.alerts.push(alertOf({ id: 1 }));
  stored.isAway = false;
  await clock.advance(1_000);
  expect(announced).toEqual(['alert 1']);
});

test('reads of the process wait for a read of the log that takes more than a second, and what it found is announced', async () => {
  const { clock, stored, announced, follow } = followed();
  await follow();
  stored.isHanging = true;
  stored.alerts.push(alertOf({ id: 3 }));
  await clock.advance(1_249);
  expect(announced).toEqual([]);
  await clock.advance(1);
  expect(announced).toEqual(['no longer followed']);
  stored.isHanging = false;
  await clock.advance(3_000);
  expect(announced).toEqual(['no longer followed', 'alert 3']);
});

test('reads of the process look at the log again once it is no longer followed', async () => {
  const { announced, follow, stop } = followed();
  await follow();
  stop.abort();
  await vi.waitFor(() => expect(announced).toEqual(['no longer followed']));
});
