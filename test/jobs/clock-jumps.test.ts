import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { SETTLED_AFTER_MS, SettledTime } from '../../src/core/base/time/trusted-clock.ts';
import type { Database } from '../../src/core/database.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { onEachDatabase } from '../infra/database/each-database.ts';
import { openCustomerFixture } from '../support/customer-fixture.ts';
import { jobNamed, MORNING, openJobFixture } from './job-fixture.ts';

const ENDS_AT = MORNING + 29 * DAY_MS;
const TICK_MS = 2 * MINUTE_MS;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A customer in the trial, a count of calls that is kept for 10 more days, and the jobs, on a clock that can be set. */
async function open(database: Database) {
  const { keys, customers, chat, usage } = database;
  const { clock, process } = openJobFixture(database);
  const record = { bannedAt: null, createdAt: MORNING, mergedInto: null, isMoved: false, erasingAt: null };
  const trial = { request: 'r', startedAt: ENDS_AT - 30 * DAY_MS, endsAt: ENDS_AT };
  await customers.insert({ ...record, id: 'cus_a', trial, version: 1 });
  await keys.insert({ ...keyOf({ id: 'key_a', tier: 'pro', trialEndsAt: ENDS_AT }), customerId: 'cus_a' });
  await usage.add(dayOf(MORNING - 390 * DAY_MS), new Map([['key_a', 5]]));
  const { service } = openCustomerFixture(database, {}, clock);
  const jobs = ['trial-ends', 'trial-reminders', 'retention'].map((name) =>
    jobNamed(name, { database, customers: service }),
  );
  const settled = new SettledTime(clock);
  const run = process('one', { settledTime: () => settled.look() });
  const tick = async () => {
    for (const job of jobs) await run(job);
  };
  return {
    clock,
    tick,
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= TICK_MS) {
        await clock.advance(Math.min(left, TICK_MS));
        await tick();
      }
    },
    /** What the jobs could destroy or send too early. */
    state: async () => ({
      tier: (await keys.byId('key_a'))?.tier,
      ended: (await chat.byId(`trial_ended:cus_a:${ENDS_AT}`)) !== null,
      reminded: (await chat.byId(`trial_reminder:cus_a:3:${ENDS_AT}`)) !== null,
      calls: await usage.get('key_a', dayOf(MORNING - 390 * DAY_MS)),
    }),
  };
}

const UNTOUCHED = { tier: 'pro', ended: false, reminded: false, calls: 5 };

onEachDatabase('jobs on a clock that jumps', (fixture) => {
  test.each([HOUR_MS, -HOUR_MS, 27 * DAY_MS, 40 * DAY_MS, -40 * DAY_MS])(
    'set by %i ms for some minutes, nothing is sent, deleted or stored',
    async (jumpMs) => {
      const { clock, tick, pass, state } = await open(fixture.database);
      await tick();
      await pass(2 * SETTLED_AFTER_MS);
      clock.set(jumpMs);
      await pass(SETTLED_AFTER_MS - TICK_MS);
      clock.set(-jumpMs);
      await pass(2 * SETTLED_AFTER_MS);
      expect(await state()).toEqual(UNTOUCHED);
    },
  );

  test('at the end of a trial the message is sent once two looks 10 minutes apart saw it, and no key is written', async () => {
    const { clock, tick, pass, state } = await open(fixture.database);
    await clock.advance(29 * DAY_MS - MINUTE_MS);
    await tick();
    await clock.advance(MINUTE_MS);
    await tick();
    await pass(SETTLED_AFTER_MS - TICK_MS);
    expect((await state()).ended).toBe(false);

    await pass(TICK_MS);
    expect(await state()).toMatchObject({ tier: 'pro', ended: true, calls: 0 });
  });
});
