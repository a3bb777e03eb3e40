import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { eachCall } from '../../support/each-call.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { FREE_DELAY_MS, HIGH, MARKET, openPersonal, WALLET } from '../../support/open-personal.ts';

function fail(): never {
  throw new Error('the database is away');
}

onSqlite('alerts for people', (given) => {
  test('an alert is one message for each person with a follow that it matches, and names these follows', async () => {
    const { putPerson, start, publish, rows, clock } = await openPersonal(given.database);
    await putPerson('cus_a', { follow: [HIGH, MARKET, walletOf(7)], tier: 'pro', platform: 'discord' });
    await putPerson('cus_b', { follow: [WALLET], tier: 'pro' });
    await putPerson('cus_c', { follow: [walletOf(7)], tier: 'pro' });
    await start();

    await publish({ id: 1, score: 80 });

    const at = clock.now();
    const facts = { alertId: 1, threadId: 1, marketId: '0xm1', score: 80, isFollow: true, isRealtime: true };
    expect((await rows()).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      {
        ...{ id: 'personal:1@cus_a', recipient: 'customer:cus_a', kind: 'personal_alert' },
        facts: { ...facts, followIds: ['a1', 'a2'], platform: 'discord' },
        ...{ createdAt: at, dueAt: at, state: 'pending' },
      },
      { id: 'personal:1@cus_b', facts: { ...facts, followIds: ['a1'], platform: 'telegram' } },
    ]);
  });

  test('without a live key above Free it comes at the free delay, in the later queue', async () => {
    const { putPerson, start, publish, rows, clock } = await openPersonal(given.database);
    const now = clock.now();
    await putPerson('cus_free', { follow: [HIGH], tier: 'free' });
    await putPerson('cus_none', { follow: [HIGH] });
    await putPerson('cus_over', { follow: [HIGH], tier: 'pro', trialEndsAt: now });
    await putPerson('cus_trial', { follow: [HIGH], tier: 'pro', trialEndsAt: now + 1 });
    await start();

    await publish({ id: 1, score: 80 });

    const late = Object.fromEntries((await rows()).map(({ id, dueAt }) => [id, dueAt - now]));
    const ids = ['cus_free', 'cus_none', 'cus_over'].map((id) => [`personal:1@${id}`, FREE_DELAY_MS]);
    expect(late).toEqual({ ...Object.fromEntries(ids), 'personal:1@cus_trial': 0 });
    const lane = { lane: 'personal:telegram:later', now: now + HOUR_MS, limit: 9 } as const;
    expect(await given.database.chat.due(lane)).toHaveLength(3);
  });

  test('a new follow is for the alerts that its person has yet to see: those of the free delay before it, too', async () => {
    const { putPerson, start, publish, rows, ids, pass, clock } = await openPersonal(given.database);
    await start();
    const at = clock.now() - FREE_DELAY_MS;
    await publish({ id: 1, score: 80, createdAt: at - 1 });
    await publish({ id: 2, score: 80, createdAt: at });
    await publish({ id: 3, score: 79, createdAt: at + 1 });
    const follow = [followOf('a1', HIGH, { createdAt: clock.now() })];
    await putPerson('cus_free', { follow, changedAt: clock.now() });
    await putPerson('cus_pro', { follow, tier: 'pro', changedAt: clock.now() });
    await pass(2 * SECOND_MS);

    expect(await ids()).toEqual(['personal:2@cus_free']);
    expect(await rows()).toMatchObject([{ facts: { followIds: ['a1'], isRealtime: false } }]);
  });

  test('an alert between a new follow and its being read is not missed, in real time either', async () => {
    const { putPerson, start, publish, ids, pass, clock } = await openPersonal(given.database);
    await start();
    const follow = [followOf('a1', HIGH, { createdAt: clock.now() - 1 })];
    await putPerson('cus_pro', { follow, tier: 'pro', changedAt: clock.now() });
    await publish({ id: 1, score: 80 });
    expect(await ids()).toEqual([]);

    await pass(2 * SECOND_MS);
    expect(await ids()).toEqual(['personal:1@cus_pro']);
  });

  test('who follows a wallet that was hidden since is not told what it does, nor that it did it', async () => {
    const { putPerson, start, publish, rows } = await openPersonal(given.database);
    await putPerson('cus_a', { follow: [WALLET] });
    await putPerson('cus_b', { follow: [HIGH, WALLET] });
    await given.database.hiddenWallets.add({ wallet: WALLET.wallet, reason: 'a private person', at: 1 });
    await start();

    await publish({ id: 1, score: 80 });

    const facts = { followIds: ['a1'], followNames: ['score 80 or more'], isFollow: false };
    expect(await rows()).toMatchObject([{ id: 'personal:1@cus_b', facts }]);
  });

  test('who was erased and begins anew is matched by what they follow then', async () => {
    const { putPerson, start, publish, ids, pass, clock } = await openPersonal(given.database);
    const { followers } = given.database;
    await putPerson('cus_a', { follow: [walletOf(7)] });
    await start();
    await pass(SECOND_MS);
    await followers.remove('cus_a');
    await followers.put(followerOf('cus_a', { follows: [followOf('a1', HIGH)], changedAt: clock.now() }));
    await pass(2 * SECOND_MS);

    await publish({ id: 1, score: 80 });

    expect(await ids()).toEqual(['personal:1@cus_a']);
  });

  test('history and trades found late come to no one', async () => {
    const { putPerson, start, publish, ids, clock } = await openPersonal(given.database);
    await putPerson('cus_a', { follow: [MARKET] });
    await start();

    await publish({ id: 1, isHistory: true });
    await publish({ id: 2, tradedAt: clock.now() - HOUR_MS - 1 });

    expect(await ids()).toEqual([]);
    expect(await given.database.chat.cursor('personal_alerts')).toBe(2);
  });

  describe('the index', () => {
    test('has what another process changed within two seconds', async () => {
      const { putPerson, start, publish, pass, ids } = await openPersonal(given.database);
      await start();
      await putPerson('cus_a', { follow: [HIGH] });
      await pass(2 * SECOND_MS);
      await publish({ id: 1, score: 80 });
      expect(await ids()).toEqual(['personal:1@cus_a']);

      const { followers } = await given.another();
      const row = (await followers.get('cus_a')) ?? expect.fail();
      // Its clock is behind.
      await followers.put({ ...row, follows: [followOf('a2', WALLET)], changedAt: row.changedAt - 50_000 });
      await pass(2 * SECOND_MS);
      await publish({ id: 2, score: 20 });
      expect(await ids()).toEqual(['personal:1@cus_a', 'personal:2@cus_a']);
    });

    test('holds everyone after a start, read page by page', async () => {
      const { putPerson, start, publish, ids } = await openPersonal(given.database);
      const many = Array.from({ length: 501 }, (_, at) => `cus_${at}`);
      for (const id of many) await putPerson(id, { follow: [HIGH] });
      await start();

      await publish({ id: 1, score: 80 });

      expect(await ids()).toHaveLength(501);
    });

    test('what a store could not answer while it was down is made up for', async () => {
      let isAway = false;
      const { putPerson, start, publish, pass, ids } = await openPersonal(given.database, {
        wrap: (store) => eachCall(store, async (call) => (isAway ? fail() : call())),
      });
      await start();
      isAway = true;
      await putPerson('cus_a', { follow: [HIGH] });
      await pass(3 * MINUTE_MS);
      await publish({ id: 1, score: 80 });
      expect(await ids()).toEqual([]);

      isAway = false;
      await pass(3 * SECOND_MS);

      await publish({ id: 2, score: 80 });
      expect(await ids()).toContain('personal:2@cus_a');
    });
  });
});
