import { expect, onTestFinished, test } from 'vitest';
import { plainText, type Screen } from '../../bots/shared/screen.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { TerminalMessages } from '../../src/wiring/terminal-messages.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { personalOf } from '../support/chat/messages.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { openCustomerFixture, visitorOf } from '../support/customer-fixture.ts';
import { followerOf, followOf } from '../support/followers.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { storeAlerts, storeExits } from '../support/stored.ts';

const ANN = visitorOf('ann', { platform: 'terminal' });
const ALL = followOf('a1', { kind: 'filter', filter: {} });
const NOON = START - (START % 86_400_000) + 43_200_000;

async function openFixture() {
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  const clock = createFakeClock(NOON);
  const { service: customers } = openCustomerFixture(database, {}, clock);
  const [shown, notes]: [string[], string[]] = [[], []];
  const show = (text: string) => {
    shown.push(text);
    return { ok: true, place: `terminal:${text.split('\n')[0]}` } as const;
  };
  const messenger: Messenger<Screen> = {
    send: async (_, screen) => show(plainText(screen)),
    reply: async (place, screen) => show(`${place} < ${plainText(screen)}`),
    edit: async () => ({ ok: false, reason: 'gone', detail: 'printed' }),
    remove: async () => ({ ok: false, reason: 'gone', detail: 'printed' }),
  };
  const messages = new TerminalMessages({
    ...{ database, customers, clock, logger: silentLogger, messenger, userId: 'ann', config: configOf({}) },
    notify: async (text) => void notes.push(text),
  });
  const alerts = [1, 2].map((id) => alertOf({ id, createdAt: NOON - 600_000 + id, score: 70 + id }));
  await storeAlerts(database, ...alerts);
  return {
    ...{ database, clock, customers, shown, notes, messages },
    async follower(visitor = ANN) {
      const { id } = await customers.visit(visitor);
      await database.followers.put(followerOf(id, { platform: 'terminal', follows: [ALL] }));
      return id;
    },
  };
}

function personal(alertId: number, customerId: string, isRealtime = false): NewChatMessage {
  return personalOf(alertId, customerId, {
    platform: 'terminal',
    isRealtime,
    score: 70 + alertId,
    dueAt: NOON - 600_000 + alertId,
  });
}

test('a person is shown what is due for them, the best first, in real time or late; nobody else’s messages', async () => {
  const { database, follower, shown, messages } = await openFixture();
  const [ann, bob] = [await follower(), await follower(visitorOf('bob', { platform: 'terminal' }))];
  await database.chat.add([personal(1, ann), personal(2, ann), personal(1, bob)]);

  await messages.sendDue();
  expect(shown.map((text) => text.slice(0, 4))).toEqual(['72 ·', '71 ·']);
  await messages.sendDue();
  expect(shown).toHaveLength(2);
  expect(await database.chat.counts(0)).toMatchObject({ sent: 2, pending: 1 });
});

test('a sale quotes the message that told of the alert; a mark is not printed', async () => {
  const { database, follower, shown, messages } = await openFixture();
  const ann = await follower();
  await database.chat.add([personal(1, ann)]);
  await messages.sendDue();
  await storeExits(database, exitOf({ number: 1, createdAt: NOON - 400_000 }));
  const facts = { alertId: 1, threadId: 1, marketId: '0xm1', alertMessageId: `personal:1@${ann}` };
  const news = { wallet: '0xaa', followIds: [] };
  const rest = {
    recipient: `customer:${ann}`,
    ...{ createdAt: NOON - 400_000, dueAt: NOON - 100_000 },
  } as const;
  const at = { platform: 'terminal', isRealtime: false } as const;
  await database.chat.add([
    { id: `pexit@${ann}`, kind: 'personal_exit', facts: { ...facts, ...news, ...at, exit: 1 }, ...rest },
    { id: `pmark:1@${ann}`, kind: 'personal_mark', facts: { ...facts, ...at, seq: 1 }, ...rest },
  ]);

  await messages.sendDue();
  expect(shown.slice(1)).toEqual([expect.stringMatching(/^terminal:71 · .* < Sold 60% at 71¢/)]);
  expect(await database.chat.counts(0)).toMatchObject({ sent: 2, dropped: 1, failed: 0 });
});

test('who follows something is told once when no service looks for it, and again when one was there', async () => {
  const { database, clock, customers, follower, notes, messages } = await openFixture();
  await messages.sendDue();
  const { id } = await customers.visit(ANN);
  await messages.sendDue();
  await database.followers.put(followerOf(id, { platform: 'terminal' }));
  await messages.sendDue();
  expect(notes).toEqual([]);

  await database.followers.remove(id);
  await follower();
  await messages.sendDue();
  await messages.sendDue();
  expect(notes).toEqual([expect.stringContaining('no service runs on this database')]);

  const report = { owner: 'elsewhere/1/a', at: clock.now(), address: 'http://localhost', checks: {} };
  await database.worker.put(report);
  await messages.sendDue();
  await database.worker.remove(report.owner);
  await messages.sendDue();
  expect(notes).toHaveLength(2);
});
