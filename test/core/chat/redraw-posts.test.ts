import { expect, test } from 'vitest';
import { CHAT_KEPT_MS } from '../../../src/core/chat/chat-store.ts';
import { redrawPosts } from '../../../src/core/chat/withdraw.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { ofThread, openThread } from '../../support/chat/open-thread.ts';
import { refusal } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';

const WALLET = alertOf({ id: 1 }).wallet;
const OTHER = '0x00000000000000000000000000000000000000bb';

onSqlite('posts that show alerts of a wallet', (fixture) => {
  const redraw = (occasion = 1, now = START) =>
    redrawPosts(
      { store: chat(), alerts: fixture.database.alerts, clock: { now: () => now } },
      { wallet: WALLET, occasion },
    );
  const chat = () => fixture.database.chat;

  async function sent(alertId: number, given: Parameters<typeof postOf>[1] = {}): Promise<void> {
    const post = postOf(alertId, given);
    await chat().add([post]);
    await chat().claim(post.id, { owner: 'a#1', at: START });
    await chat().finish(post.id, 'a#1', { state: 'sent', place: `m${alertId}`, at: START });
  }

  test('are edited once per change in each channel; those of other wallets stay', async () => {
    const ofOther = alertOf({ id: 3, wallet: OTHER });
    await storeAlerts(fixture.database, alertOf({ id: 1 }), alertOf({ id: 2 }), ofOther);
    for (const id of [1, 2, 3]) await sent(id);
    await sent(1, { channel: 'discord' });

    expect(await redraw()).toBe(3);
    expect(await redraw()).toBe(0);
    expect(await redraw(2)).toBe(3);
    const due = await chat().due({ lane: 'channel:discord', now: START, limit: 10 });
    expect(due.map(({ id, kind, facts }) => ({ id, kind, facts }))).toEqual([
      { id: 'redraw:1:1@discord', kind: 'alert_result', facts: { alertId: 1, threadId: 1 } },
      { id: 'redraw:1:2@discord', kind: 'alert_result', facts: { alertId: 1, threadId: 1 } },
    ]);
  });

  test('are edited while they are being sent, not while they wait or are gone', async () => {
    await storeAlerts(fixture.database, ...[1, 2, 3].map((id) => alertOf({ id })));
    await chat().add([postOf(1), postOf(2)]);
    await chat().claim('alert:2@telegram', { owner: 'a#1', at: START });
    await sent(3);
    await chat().withdraw('alert:3@telegram', START);

    expect(await redraw()).toBe(1);
    expect(await chat().byId('redraw:2:1@telegram')).not.toBeNull();
  });

  test('of a thread that began with another wallet are that thread’s post', async () => {
    await storeAlerts(
      fixture.database,
      alertOf({ id: 1, wallet: OTHER, type: 'cluster' }),
      alertOf({ id: 2, type: 'cluster', threadId: 1, supersedes: 1 }),
    );
    await sent(1);
    await chat().add([postOf(2, { threadId: 1 })]);
    await chat().makeUpdate('alert:2@telegram');

    expect(await redraw()).toBe(1);
    expect(await chat().byId('redraw:1:1@telegram')).not.toBeNull();
  });

  test('are all found, page after page, as long as posts are kept', async () => {
    const newer = Array.from({ length: 501 }, (_, index) => alertOf({ id: index + 2 }));
    await storeAlerts(fixture.database, alertOf({ id: 1, createdAt: START }), ...newer);
    await sent(1);
    await sent(2);

    expect(await redraw(1, START + CHAT_KEPT_MS.posts)).toBe(2);
    expect(await redraw(2, START + CHAT_KEPT_MS.posts + 1)).toBe(1);
  });
});

test('an answer to a post that could not be edited is edited too, once per change, and gets no answer itself', async () => {
  let isFixed = false;
  const { publish, pass, calls, store, database, clock } = await openThread({
    answer: ({ how }) => (how === 'edit' && !isFixed ? refusal('refused') : undefined),
  });
  await publish(ofThread(2, { score: 90 }));
  await pass(20_000);
  expect(calls[2]).toEqual({ how: 'reply', where: 'm1', view: '2: open, updated' });
  const redraw = async (occasion: number) => {
    const before = calls.length;
    await redrawPosts({ store, alerts: database.alerts, clock }, { wallet: WALLET, occasion });
    await pass(20_000);
    return calls.slice(before).map(({ how, where }) => `${how} ${where}`);
  };

  isFixed = true;
  const both = ['edit m3', 'edit m1'];
  expect([await redraw(1), await redraw(1), await redraw(2)]).toEqual([both, [], both]);
  isFixed = false;
  expect(await redraw(3)).toEqual([...both, 'reply m1']);
});
