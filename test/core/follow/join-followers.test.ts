import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { subjectKey } from '../../../src/core/follow/active-follows.ts';
import { FollowService } from '../../../src/core/follow/follow-service.ts';
import type { Follower, FollowerStore, FollowSubject } from '../../../src/core/follow/follower.ts';
import { followersOfCustomers, joined } from '../../../src/core/follow/join-followers.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { openCustomerFixture, visitorOf } from '../../support/customer-fixture.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';

const market = (id: number) => ({ kind: 'market', marketId: `0x${id}`, title: 't', slug: 's' }) as const;
const subject: fc.Arbitrary<FollowSubject> = fc.oneof(
  fc.nat(6).map(walletOf),
  fc.nat(6).map(market),
  fc.nat(6).map((minScore) => ({ kind: 'filter' as const, filter: { minScore } })),
);
const muted = fc.oneof(fc.nat(3).map(walletOf), fc.nat(3).map(market));
const mutes = fc
  .array(fc.record({ subject: muted, until: fc.nat(9).map((ms) => START + ms) }))
  .map((all) => [...new Map(all.map((mute) => [subjectKey(mute.subject), mute])).values()]);

const follower: fc.Arbitrary<Follower> = fc
  .record({
    subjects: fc.uniqueArray(subject, { selector: subjectKey, maxLength: 12 }),
    ages: fc.array(fc.nat(20), { minLength: 12, maxLength: 12 }),
    mutes,
    zone: fc.constantFrom(null, 'Europe/Paris', 'Asia/Tokyo'),
    quiet: fc.constantFrom(null, { from: 23, to: 7 }),
    place: fc.constantFrom('telegram', 'discord'),
  })
  .map(({ subjects, ages, ...rest }) => {
    const times = ages.toSorted((a, b) => a - b);
    const follows = subjects.map((each, index) =>
      followOf(`a${index + 1}`, each, { createdAt: START + (times[index] ?? 0) }),
    );
    return followerOf('cus', { ...rest, follows, nextFollow: follows.length + 1 });
  });

const keys = ({ follows }: Pick<Follower, 'follows'>) => follows.map(({ subject: each }) => subjectKey(each));

test('two lists become one: every subject once, oldest first, ids unique, and joining again changes nothing', () => {
  fc.assert(
    fc.property(follower, follower, (into, from) => {
      const both = joined(into, from);

      expect(joined(both, from)).toEqual(both);
      expect(keys(both).toSorted()).toEqual([...new Set([...keys(into), ...keys(from)])].toSorted());
      expect(both.follows.map(({ createdAt }) => createdAt)).toEqual(
        both.follows.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b),
      );
      const ids = both.follows.map(({ id }) => Number(id.slice(1)));
      expect(new Set(ids).size).toBe(ids.length);
      expect(Math.max(0, ...ids)).toBeLessThan(both.nextFollow);
      // Buttons in chats name the follows of the older by their ids.
      for (const follow of into.follows) expect(both.follows).toContainEqual(follow);
      expect(both.place).toBe(into.place);
    }),
  );
});

test('a mute lasts as long as the longer of the two; times are those of who has set any', () => {
  const until = (ms: number) => [{ subject: market(1), until: START + ms }];
  const of = (given: Partial<Follower>) => followerOf('cus', given);
  expect(joined(of({ mutes: until(1) }), of({ mutes: until(2) })).mutes).toEqual(until(2));
  expect(joined(of({ mutes: until(2) }), of({ mutes: until(1) })).mutes).toEqual(until(2));

  const quiet = { from: 23, to: 7 };
  const inParis = of({ zone: 'Europe/Paris', quiet });
  expect(joined(of({}), inParis)).toMatchObject({ zone: 'Europe/Paris', quiet });
  // Hours of another zone would be other hours.
  expect(joined(of({ zone: 'Asia/Tokyo' }), inParis)).toMatchObject({ zone: 'Asia/Tokyo', quiet: null });
});

async function openPair() {
  const database = await openDatabase('sqlite::memory:');
  const { service: customers, clock } = openCustomerFixture(database);
  const one = await customers.visit(visitorOf());
  await clock.advance(1);
  const other = await customers.visit(visitorOf('9', { platform: 'discord' }));
  /** Calls of the store wait once for what is done before them. */
  const before = (calls: Partial<Record<'put' | 'remove', () => Promise<unknown>>>): FollowerStore => {
    const wait = async (name: 'put' | 'remove') => {
      const call = calls[name];
      delete calls[name];
      await call?.();
    };
    const { put, remove } = database.followers;
    return {
      ...database.followers,
      put: async (row) => wait('put').then(() => put(row)),
      remove: async (...args) => wait('remove').then(() => remove(...args)),
    };
  };
  const add = ({ id: customerId }: Customer, number: number, followers = database.followers) => {
    const service = new FollowService({ followers, customers, keys: database.keys, clock });
    return service.add({ customerId, platform: 'telegram' }, walletOf(number));
  };
  const link = async (followers = database.followers) => {
    const { service } = openCustomerFixture(database, { followers: followersOfCustomers(followers) }, clock);
    const { code } = await service.linking.start(one.id);
    await service.linking.link(other.id, code);
  };
  const stored = async () => {
    const rows = await database.followers.changedSince({ since: 0, limit: 10 });
    return rows.map(({ customerId, follows }) => [
      customerId === one.id ? 'one' : 'other',
      follows.map(({ subject }) => 'wallet' in subject && Number(subject.wallet)).toSorted(),
    ]);
  };
  return { one, other, before, add, link, stored, chat: database.chat };
}

test.each([
  ['the older', 'put'],
  ['the younger', 'remove'],
] as const)('what %s follows while they are being linked is kept', async (who, call) => {
  const { one, other, before, add, link, stored } = await openPair();
  await add(one, 1);
  await add(other, 2);

  await link(before({ [call]: () => add(who === 'the older' ? one : other, 3) }));

  expect(await stored()).toEqual([['one', [1, 2, 3]]]);
});

test('what is first followed under the younger of the two after they were linked is the older one’s', async () => {
  const { one, other, before, add, link, stored } = await openPair();
  await add(one, 1);

  expect(await add(other, 2, before({ put: () => link() }))).toMatchObject({ ok: true });

  expect(await stored()).toEqual([['one', [1, 2]]]);
});

test('messages for the younger are the older one’s when they are linked', async () => {
  const { one, other, link, chat } = await openPair();
  await chat.add([personalOf(1, one.id), personalOf(2, other.id), personalOf(3, other.id)]);
  await chat.giveUp(`personal:2@${other.id}`, { state: 'folded', error: null, at: START });

  await link();

  const recipients = await Promise.all(
    [1, 2, 3].map(async (id) => {
      const found = await chat.byId(`personal:${id}@${id === 1 ? one.id : other.id}`);
      return found?.recipient;
    }),
  );
  expect(recipients).toEqual(Array(3).fill(`customer:${one.id}`));
});
