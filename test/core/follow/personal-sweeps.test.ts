import { describe, expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { eachCall } from '../../support/each-call.ts';
import { followOf } from '../../support/followers.ts';
import { FREE_DELAY_MS, HIGH, MARKET, openPersonal, WALLET } from '../../support/open-personal.ts';

/** The id of the message about an exit of `exitOf` to a person. */
function exitId(person: string, level = 'half'): string {
  const { marketId, outcomeIndex, wallet, tradedAt } = exitOf({ number: 1 });
  return `pexit:${level}:${marketId}:${outcomeIndex}:${wallet}:${tradedAt}@cus_${person}`;
}

onSqlite('what became of alerts, for people', (given) => {
  /** Alert 1 of a wallet, which matches the rule of cus_told. */
  async function openTold() {
    const fixture = await openPersonal(given.database);
    const { putPerson, start, publish, rows, clock } = fixture;
    await putPerson('cus_told', { follow: [HIGH], tier: 'pro' });
    await start();
    await publish({ id: 1, score: 80 });
    const { chat } = given.database;
    return {
      ...fixture,
      /** What came after the alerts, by id. */
      later: async () =>
        (await rows())
          .filter(({ kind }) => kind !== 'personal_alert')
          .toSorted((a, b) => (a.id < b.id ? -1 : 1)) as readonly ChatMessage[],
      end: async (id: string, state: 'sent' | 'folded') => {
        if (state === 'folded') return chat.giveUp(id, { state, error: null, at: clock.now() });
        await chat.claim(id, { owner: 'o#1', at: clock.now() });
        return chat.finish(id, 'o#1', { state, place: '77', at: clock.now() });
      },
    };
  }

  describe('an exit', () => {
    test('is told to those to whom an alert of its thread goes, with that message, and to those who follow its wallet or market', async () => {
      const { putPerson, pass, sell, later, clock } = await openTold();
      await putPerson('cus_wallet', { follow: [WALLET] });
      await putPerson('cus_market', { follow: [MARKET], tier: 'pro', platform: 'discord' });
      await putPerson('cus_rule', { follow: [HIGH], tier: 'pro' });
      await pass(2 * SECOND_MS);
      const at = clock.now();

      await sell({ number: 1, createdAt: at });

      const about = { exit: 1, alertId: 1, threadId: 1, marketId: '0xm1' };
      const byFollow = { alertMessageId: null, followIds: ['a1'], wallet: WALLET.wallet };
      expect(await later()).toMatchObject([
        { id: exitId('market'), facts: { ...about, ...byFollow, platform: 'discord' }, dueAt: at },
        {
          ...{ id: exitId('told'), recipient: 'customer:cus_told', kind: 'personal_exit' },
          facts: { ...about, alertMessageId: 'personal:1@cus_told', isRealtime: true },
          ...{ createdAt: at, dueAt: at },
        },
        { id: exitId('wallet'), facts: { isRealtime: false }, dueAt: at + FREE_DELAY_MS },
      ]);
    });

    test('answers the message of its alert, or is one of its own where that waits and may be listed: a wallet is followed', async () => {
      const { publish, putPerson, pass, sell, resolve, later, end } = await openTold();
      await putPerson('cus_wallet', { follow: [WALLET], tier: 'pro' });
      await pass(2 * SECOND_MS);
      await publish({ id: 2, threadId: 1, supersedes: 1, score: 85 });
      const answered = async () =>
        (await later()).map(({ id, facts }) => [id, 'alertMessageId' in facts && facts.alertMessageId]);

      await sell({ number: 1 });
      expect(await answered()).toEqual([
        [exitId('told'), 'personal:2@cus_told'],
        [exitId('wallet'), null],
      ]);
      await end('personal:2@cus_wallet', 'sent');
      await sell({ number: 2, level: 'out' });
      await resolve(1);
      expect((await answered()).filter(([id]) => String(id).endsWith('@cus_wallet'))).toEqual([
        [exitId('wallet'), null],
        [exitId('wallet', 'out'), 'personal:2@cus_wallet'],
        ['pmark:2:5@cus_wallet', 'personal:2@cus_wallet'],
        ['presult:1:5@cus_wallet', 'personal:2@cus_wallet'],
      ]);
    });

    test('is not told of history, to those who mute its wallet, nor for an alert that was only listed', async () => {
      const { putPerson, pass, sell, later, end, clock } = await openTold();
      const mutes = [{ subject: WALLET, until: clock.now() + MINUTE_MS }];
      await putPerson('cus_muting', { follow: [MARKET], mutes });
      await putPerson('cus_paused', { follow: [followOf('a1', MARKET, { isPaused: true })] });
      await end('personal:1@cus_told', 'folded');
      await pass(2 * SECOND_MS);

      await sell({ number: 1 });
      await sell({ number: 2, isHistory: true, wallet: '0xbb' });

      expect(await later()).toEqual([]);
    });

    test('of a wallet and of its cluster by one order is one message', async () => {
      const { publish, putPerson, pass, sell, later } = await openTold();
      await publish({ id: 2, type: 'cluster', score: 80 });
      await putPerson('cus_late', { follow: [MARKET] });
      const cluster = { threadId: 2, alertIds: [2] };
      await sell({ number: 1 });
      await sell({ number: 2, ...cluster });
      await pass(2 * SECOND_MS);
      expect((await later()).map(({ id }) => id)).toEqual([exitId('late'), exitId('told')]);
      await sell({ number: 3, ...cluster, tradedAt: 7 });
      expect(await later()).toHaveLength(4);
    });
  });

  test.each(['at a start', 'later'])('waits until its alert is matched (%s)', async (when) => {
    let isAway = false;
    const fixture = await openPersonal(given.database, {
      wrap: (store) =>
        eachCall(store, async (call, name) => {
          if (isAway && name === 'byIds') throw new Error('the database is away');
          return call();
        }),
    });
    await fixture.putPerson('cus_told', { follow: [HIGH], tier: 'pro' });
    const first = await fixture.start();
    if (when === 'at a start') await first.close();
    isAway = true;
    await fixture.publish({ id: 1, score: 80 });
    if (when === 'at a start') {
      await fixture.resolve(1);
      await fixture.start(1);
    }
    await fixture.sell({ number: 1 });
    expect(await fixture.ids()).toEqual([]);

    isAway = false;
    await fixture.pass(10 * SECOND_MS);

    const outcome = when === 'at a start' ? ['presult:1:2@cus_told'] : [];
    expect(await fixture.ids()).toEqual(['personal:1@cus_told', exitId('told'), ...outcome]);
  });

  describe('an outcome', () => {
    test('is told once for each thread of which a person was told, with a sign for each message that was sent', async () => {
      const { publish, resolve, later, end, clock } = await openTold();
      await publish({ id: 2, threadId: 1, supersedes: 1, score: 90 });
      await publish({ id: 3, score: 80, outcome: 'No', outcomeIndex: 1 });
      await end('personal:1@cus_told', 'sent');
      const at = clock.now();

      await resolve(1);

      const about = { seq: 4, marketId: '0xm1', platform: 'telegram' };
      expect(await later()).toMatchObject([
        {
          ...{ id: 'pmark:1:4@cus_told', kind: 'personal_mark', dueAt: at },
          facts: { ...about, alertId: 1, alertMessageId: 'personal:1@cus_told', isRealtime: false },
        },
        {
          ...{ id: 'presult:1:4@cus_told', kind: 'personal_result', createdAt: at, dueAt: at },
          facts: { ...about, alertId: 2, threadId: 1, alertMessageId: 'personal:2@cus_told', followIds: [] },
        },
        { id: 'presult:3:4@cus_told', facts: { alertId: 3, threadId: 3 } },
      ]);
    });

    test('is told once to those who only follow a wallet or the market, and again when it is corrected', async () => {
      const { publish, putPerson, pass, resolve, later, clock, database } = await openTold();
      await putPerson('cus_both', { follow: [{ kind: 'wallet', wallet: '0xbb' }], tier: 'pro' });
      await pass(2 * SECOND_MS);
      await publish({ id: 2, score: 70, wallet: '0xbb' });
      await publish({ id: 3, score: 75, wallet: '0xcc' });
      const both = (await database.followers.get('cus_both')) ?? expect.fail();
      await database.followers.put({ ...both, follows: [followOf('a2', MARKET)], changedAt: clock.now() });
      await putPerson('cus_wallet', { follow: [{ kind: 'wallet', wallet: '0xbb' }, MARKET] });
      await putPerson('cus_market', { follow: [MARKET], tier: 'pro' });
      await putPerson('cus_muting', {
        follow: [MARKET],
        mutes: [{ subject: MARKET, until: clock.now() * 2 }],
      });
      await pass(2 * SECOND_MS);

      await resolve(1);
      await resolve(0);

      const told = (await later()).map(({ id, facts }) => [
        id,
        'alertMessageId' in facts && facts.alertMessageId,
      ]);
      expect(told).toEqual([
        ['presult:1:4@cus_market', null],
        ['presult:1:4@cus_told', 'personal:1@cus_told'],
        ['presult:1:5@cus_market', null],
        ['presult:1:5@cus_told', 'personal:1@cus_told'],
        ['presult:2:4@cus_both', null],
        ['presult:2:4@cus_wallet', null],
        ['presult:2:5@cus_both', null],
        ['presult:2:5@cus_wallet', null],
      ]);
      const late = (await later()).map(({ dueAt, createdAt }) => dueAt - createdAt);
      expect(late).toEqual([0, 0, 0, 0, 0, FREE_DELAY_MS, 0, FREE_DELAY_MS]);
    });

    test('of a cluster is told to those who follow a member', async () => {
      const { publish, putPerson, pass, resolve, ids } = await openTold();
      const { details } = alertOf({ id: 2 });
      await publish({ id: 2, type: 'cluster', score: 70, details: { ...details, wallets: ['0xbb'] } });
      await putPerson('cus_a', { follow: [{ kind: 'wallet', wallet: '0xbb' }] });
      await pass(2 * SECOND_MS);

      await resolve(1);

      expect(await ids()).toEqual(['personal:1@cus_told', 'presult:1:3@cus_told', 'presult:2:3@cus_a']);
    });

    test('of a market with alerts of history only goes to nobody', async () => {
      const { publish, putPerson, pass, resolve, later } = await openTold();
      await publish({ id: 2, marketId: '0xm2', isHistory: true });
      await putPerson('cus_a', { follow: [{ ...MARKET, marketId: '0xm2' } as typeof MARKET] });
      await pass(2 * SECOND_MS);

      await resolve(1, '0xm2');

      expect(await later()).toEqual([]);
    });
  });
});
