import { expect, test, vi } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import { FollowService } from '../../../src/core/follow/follow-service.ts';
import type { Follower } from '../../../src/core/follow/follower.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { openCustomerFixture, visitorOf } from '../../support/customer-fixture.ts';
import { walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';

async function openFollows(database: Database, stores: Partial<Pick<Database, 'followers'>> = {}) {
  const { service: customers, clock, give } = openCustomerFixture(database);
  const { followers, keys } = { ...database, ...stores };
  const service = new FollowService({ followers, customers, keys, clock });
  const { id: customerId } = await customers.visit(visitorOf());
  const person = { customerId, platform: 'telegram' } as const;
  const follow = (number: number) => service.add(person, walletOf(number));
  return { service, customers, clock, give, person, follow };
}

const memory = async () => openFollows(await openDatabase('sqlite::memory:'));
const MARKET = { kind: 'market', marketId: '0xm', title: 'Rain?', slug: 'rain' } as const;
const RULE = { kind: 'filter', filter: { minScore: 80 } } as const;
const idsOf = ({ follows }: Pick<Follower, 'follows'>) => follows.map(({ id }) => id);

onEachDatabase('follows of concurrent calls', (fixture) => {
  test('are all kept up to the limit, each with an id of its own', async () => {
    const { database } = fixture;
    const { service, person, follow } = await openFollows(database);
    const other = await openFollows(database, await fixture.another());

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, number) => (number % 2 === 0 ? follow(number) : other.follow(number))),
    );

    expect(results.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = results.filter(({ ok }) => !ok);
    const limit = { ok: false, reason: 'too_many_follows', limit: 10, tier: 'free' };
    expect(refused).toEqual([limit, limit]);
    const stored = await service.of(person);
    expect(new Set(idsOf(stored)).size).toBe(10);
    expect(stored).toMatchObject({ version: 10, nextFollow: 11 });
    expect(await database.followers.byIds([person.customerId, 'nobody'])).toHaveLength(1);
    expect(await database.followers.byIds(['nobody'])).toEqual([]);
  });
});

test('a new person follows nothing and is not stored', async () => {
  const { service, customers } = await memory();
  const { id: customerId } = await customers.visit(visitorOf('9', { platform: 'discord' }));
  const fresh = await service.of({ customerId, platform: 'discord' });
  expect(fresh).toMatchObject({ customerId, platform: 'discord', zone: null, follows: [], version: 0 });

  await service.add({ customerId, platform: 'discord' }, MARKET);

  expect(await service.of({ customerId, platform: 'discord' })).toMatchObject({ version: 1 });
});

test('a wallet, a market and a rule are followed, each once', async () => {
  const { service, person } = await memory();
  const wallet = { kind: 'wallet', wallet: '0xABC' } as const;
  const first = await service.add(person, wallet);
  expect(first).toMatchObject({
    follow: {
      ...{ id: 'a1', nickname: null, subject: { wallet: '0xabc' }, mode: 'normal' },
      ...{ isPaused: false, createdAt: START },
    },
  });
  expect(await service.add(person, MARKET)).toMatchObject({ follow: { id: 'a2' } });
  expect(await service.add(person, RULE)).toMatchObject({ follow: { id: 'a3' } });

  for (const subject of [wallet, { ...MARKET, title: 'New title' }, RULE]) {
    const again = await service.add(person, subject);
    expect(again).toMatchObject({ reason: 'already_followed', follow: { subject: { kind: subject.kind } } });
  }
  expect(idsOf(await service.of(person))).toEqual(['a1', 'a2', 'a3']);
});

test('at most 10 are followed with Free and 50 with Pro, paused ones included (issue); a trial that ends takes none away', async () => {
  const { service, person, follow, give, clock } = await memory();
  for (let number = 1; number <= 10; number += 1) expect((await follow(number)).ok).toBe(true);
  await service.change(person, 'a1', { isPaused: true });
  const tooMany = { ok: false, reason: 'too_many_follows' };
  expect(await follow(11)).toEqual({ ...tooMany, limit: 10, tier: 'free' });

  const { key } = await give({ customerId: person.customerId, tier: 'pro', request: 'a' });
  for (let number = 11; number <= 50; number += 1) expect((await follow(number)).ok).toBe(true);
  expect(await follow(51)).toEqual({ ...tooMany, limit: 50, tier: 'pro' });

  await clock.advance((key.trialEndsAt ?? 0) - clock.now());
  expect(await service.tierOf(person.customerId)).toBe('free');
  expect(await follow(51)).toEqual({ ...tooMany, limit: 10, tier: 'free' });
  expect((await service.of(person)).follows).toHaveLength(50);
});

test('a follow is renamed, paused, and told another way; of a rule the filter changes', async () => {
  const { service, person, follow } = await memory();
  await follow(1);
  await service.add(person, RULE);
  await service.add(person, { kind: 'filter', filter: { minScore: 90 } });

  const changed = await service.change(person, 'a2', {
    ...{ nickname: '  Best ', mode: 'daily', isPaused: true, filter: { side: 'BUY' } },
  });
  expect(changed).toMatchObject({
    follow: {
      id: 'a2',
      nickname: 'Best',
      mode: 'daily',
      isPaused: true,
      subject: { filter: { side: 'BUY' } },
    },
  });
  expect(await service.change(person, 'a2', { nickname: '' })).toMatchObject({ follow: { nickname: null } });
  const refused = [
    service.change(person, 'a9', { isPaused: true }),
    service.change(person, 'a2', { filter: { minScore: 90 } }),
    service.change(person, 'a2', { nickname: 'x'.repeat(41) }),
    service.change(person, 'a2', { nickname: 'two\nlines' }),
  ];
  expect((await Promise.all(refused)).map((result) => 'reason' in result && result.reason)).toEqual([
    ...['unknown_follow', 'already_followed', 'bad_nickname', 'bad_nickname'],
  ]);
  expect((await service.of(person)).follows[1]).toMatchObject({ nickname: null, subject: { filter: {} } });
});

test('an id is never used again, and undo puts a follow back under its own, in its place', async () => {
  const { service, person, follow, clock } = await memory();
  for (const number of [1, 2, 3]) {
    await follow(number);
    await clock.advance(1);
  }
  const removed = await service.remove(person, 'a2');
  if (!removed.ok) throw new Error(removed.reason);
  const taken = await service.remove(person, 'a3');
  expect(await service.remove(person, 'a3')).toEqual({ ok: false, reason: 'unknown_follow' });
  expect(await follow(4)).toMatchObject({ follow: { id: 'a4' } });

  expect(await service.restore(person, removed.follow)).toMatchObject({ ok: true, follow: removed.follow });
  expect(await service.restore(person, removed.follow)).toMatchObject({ reason: 'already_followed' });

  const stored = await service.of(person);
  expect([idsOf(stored), stored.nextFollow]).toEqual([['a1', 'a2', 'a4'], 5]);
  for (let number = 5; number <= 11; number += 1) await follow(number);
  expect(taken.ok && (await service.restore(person, taken.follow))).toMatchObject({
    reason: 'too_many_follows',
  });
});

test('a mute lasts until its end, replaces the one before, and is undone; at most 100 at a time', async () => {
  const { service, person, clock } = await memory();
  const wallet = { kind: 'wallet', wallet: '0xABC' } as const;
  await service.mute(person, MARKET, START + 5);
  await service.mute(person, wallet, START + 9);
  const muted = await service.mute(person, MARKET, START + 7);
  const of = (result: typeof muted) => result.ok && result.follower.mutes.map(({ until }) => until - START);
  expect(of(muted)).toEqual([9, 7]);
  expect(of(await service.unmute(person, wallet))).toEqual([7]);

  await clock.advance(7);
  expect(of(await service.unmute(person, wallet))).toEqual([]);

  for (let number = 0; number < 100; number += 1) await service.mute(person, walletOf(number), START + 9);
  const full = { ok: false, reason: 'too_many_mutes', limit: 100 };
  expect(await service.mute(person, walletOf(100), START + 9)).toEqual(full);
  expect(await service.mute(person, walletOf(99), START + 10)).toMatchObject({ ok: true });
});

test('who is erased while they write leaves nothing behind', async () => {
  const database = await openDatabase('sqlite::memory:');
  const { service: customers } = openCustomerFixture(database);
  const { followers } = database;
  const put = followers.put.bind(followers);
  vi.spyOn(followers, 'put').mockImplementation(async (follower) => {
    await customers.erase(follower.customerId);
    return put(follower);
  });
  const { service, person } = await openFollows(database);

  expect(await service.add(person, MARKET)).toEqual({ ok: false, reason: 'erased' });

  expect(await database.followers.changedSince({ since: 0, limit: 10 })).toEqual([]);
});
