import { expect, test } from 'vitest';
import { isInRange, Shares } from '../../../../src/core/delivery/webhooks/shares.ts';
import type { Heartbeat } from '../../../../src/core/operations/heartbeat.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';

const HOUR = 3_600_000;
const IDS = Array.from(
  { length: 1_000 },
  (_, index) => `wh_${Buffer.from([index >> 2, (index % 4) << 6, 0]).toString('base64url')}`,
);

function openShares(
  heartbeats: readonly Partial<Heartbeat>[],
  isGone: (owner: string) => boolean = () => false,
) {
  const clock = createFakeClock(START);
  const rest = { roles: ['deliver'], at: START, checks: {} };
  let rows = heartbeats.map((each) => ({ owner: '', ...rest, ...each }));
  const of = (owner: string) => new Shares({ heartbeats: { list: async () => rows }, owner, isGone, clock });
  return {
    clock,
    of,
    beat: (at: number) => {
      rows = rows.map((row) => ({ ...row, at }));
    },
  };
}

const ownedBy = (shares: Shares) => IDS.filter((id) => isInRange(shares.own(), id)).length;

test('each webhook belongs to one of the processes that deliver, about as many to each', async () => {
  const { of } = openShares([
    { owner: 'a' },
    { owner: 'b' },
    { owner: 'c' },
    { owner: 'api', roles: ['api'] },
  ]);
  const shares = ['a', 'b', 'c'].map(of);
  for (const each of shares) await each.refresh();

  for (const id of IDS) expect(shares.filter((each) => isInRange(each.own(), id))).toHaveLength(1);
  for (const each of shares) expect(ownedBy(each)).toBeGreaterThan(IDS.length / 4);
});

test('a process is alone before it has read, and with heartbeats of dead processes', async () => {
  const shares = openShares([{ owner: 'gone' }], (owner) => owner === 'gone').of('a');
  expect(ownedBy(shares)).toBe(IDS.length);
  await shares.refresh();
  expect(ownedBy(shares)).toBe(IDS.length);
});

test('a process counts as dead after 30 s without a new heartbeat, whatever the clocks of the hosts say', async () => {
  const { clock, of, beat } = openShares([{ owner: 'b', at: START - HOUR }]);
  const shares = of('a');
  await shares.refresh();
  await clock.advance(29_999);
  await shares.refresh();
  expect(ownedBy(shares)).toBeLessThan(IDS.length);
  await clock.advance(1);
  await shares.refresh();
  expect(ownedBy(shares)).toBe(IDS.length);

  beat(START + HOUR);
  await shares.refresh();
  expect(ownedBy(shares)).toBeLessThan(IDS.length);
});
