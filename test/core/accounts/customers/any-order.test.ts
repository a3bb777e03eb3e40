import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CustomerService } from '../../../../src/core/accounts/customers/customer-service.ts';
import { DAY_MS } from '../../../../src/core/base/time/duration.ts';
import type { Database } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { createFakeClock, type FakeClock } from '../../../support/clock.ts';
import { openCustomerFixture, visitorOf } from '../../../support/customer-fixture.ts';
import { START } from '../../../support/rows.ts';
import { createUnrulyProcess, type Rule, unlessKilled } from '../../../support/unruly-store.ts';

const rule: fc.Arbitrary<Rule> = fc.record({
  waits: fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
  dies: fc.option(fc.nat(25)),
  isLastDone: fc.boolean(),
});
/** A request names one tap, and so says what was asked for. */
const request = fc.constantFrom('free 1', 'free 2', 'pro 1', 'pro 2', 'pro 3');
const tap = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('key'), request }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rotate'),
      which: fc.nat(2),
      keepOld: fc.boolean(),
      request: fc.constantFrom('r', 's'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke'), which: fc.nat(2) }) },
);
/** What one process does; the message of what it gave arrives or not. */
const process = fc.record({ tap, rule, isShown: fc.boolean() });
const rounds = fc.array(fc.array(process, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

type Tap = typeof tap extends fc.Arbitrary<infer T> ? T : never;
type Process = typeof process extends fc.Arbitrary<infer T> ? T : never;

type Given = Map<string, Set<string>>;

async function act(service: CustomerService, customerId: string, asked: Tap) {
  if (asked.kind === 'key') {
    const { request } = asked as { request: string };
    const tier = request.startsWith('pro') ? 'pro' : 'free';
    return { request, result: await service.keys.issue({ customerId, tier, request }) };
  }
  const { which } = asked as { which: number };
  const key = (await service.keysOf(customerId))[which];
  if (key === undefined) return null;
  if (asked.kind === 'revoke') {
    await service.keys.revoke(customerId, key.id);
    return null;
  }
  const { keepOld, request } = asked as { keepOld: boolean; request: string };
  // Names are unique among all taps: a rotation's says which key it was for.
  const name = `${request} ${key.id}`;
  return {
    request: name,
    result: await service.keys.rotate({ customerId, keyId: key.id, keepOld, request: name }),
  };
}

interface World {
  readonly database: Database;
  readonly clock: FakeClock;
  readonly customerId: string;
  readonly given: Given;
}

async function live({ database, clock, customerId, given }: World, { tap, rule, isShown }: Process) {
  const { wrap } = createUnrulyProcess(rule);
  const stores = { customers: wrap(database.customers), keys: wrap(database.keys) };
  const { service } = openCustomerFixture(database, stores, clock);
  const done = await unlessKilled(act(service, customerId, tap));
  if (done === null || !done.result.ok) return;
  const { request, result } = done;
  // A request that gave a secret which was replaced since may give another key.
  if (tap.kind === 'rotate') for (const ids of given.values()) ids.delete(result.key.id);
  given.set(request, (given.get(request) ?? new Set()).add(result.key.id));
  if (isShown) await unlessKilled(service.keys.confirmShown(result.key.id, request));
}

async function holds({ database, customerId, given }: World): Promise<void> {
  const active = await database.keys.byCustomer(customerId);
  expect(active.length).toBeLessThanOrEqual(3);
  for (const ids of given.values()) {
    expect(active.filter(({ id }) => ids.has(id)).length).toBeLessThanOrEqual(1);
  }
  const all = await database.keys.list();
  const inTrial = all.filter(({ trialEndsAt }) => trialEndsAt !== null);
  expect(new Set(inTrial.map(({ trialEndsAt }) => trialEndsAt)).size).toBeLessThanOrEqual(1);
  const seen = inTrial.filter(({ handover, previous }) => handover?.isShown === true || previous !== null);
  expect(seen.length).toBeLessThanOrEqual(1);
}

test('never more than 3 active keys, two keys for one request, or two trials, with any concurrent taps and kills', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const database = await openDatabase('sqlite::memory:');
      const clock = createFakeClock(START);
      const { service, give } = openCustomerFixture(database, {}, clock);
      const { id: customerId } = await service.visit(visitorOf());
      const world = { database, clock, customerId, given: new Map() };
      let askedForPro = false;
      for (const processes of plan) {
        await Promise.all(processes.map((one) => live(world, one)));
        askedForPro ||= processes.some(({ tap }) => 'request' in tap && tap.request.startsWith('pro'));
        await holds(world);
        await clock.advance(1_000);
      }
      // Nothing is lost: a customer who has seen no key of the trial gets one, in the trial that began.
      const all = await database.keys.list();
      const hadPro = all.some((key) => key.trialEndsAt !== null && (key.handover?.isShown || key.previous));
      for (const { id } of await service.keysOf(customerId)) await service.keys.revoke(customerId, id);
      const began = (await service.byId(customerId))?.trial;
      const last = await give({ customerId, tier: 'pro', request: 'last' });
      if (!hadPro) {
        const endsAt = began?.endsAt ?? clock.now() + 30 * DAY_MS;
        expect(last).toMatchObject({ trialUsed: false, key: { tier: 'pro', trialEndsAt: endsAt } });
      }
      if (began !== null) expect(askedForPro).toBe(true);
      await holds(world);
      await database.close();
    }),
    { numRuns: 30 },
  );
});
