import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import {
  type ConversationFixture,
  openConversationFixture,
} from '../../support/chat/conversation-fixture.ts';
import { openChatProcess, TelegramChat } from '../../support/chat/telegram-chat.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { crashPoints } from '../../support/crash-points.ts';
import { createUnrulyProcess } from '../../support/unruly-store.ts';

type Wrap = <Store extends object>(store: Store) => Store;
const whole: Wrap = (store) => store;

/** The chat of one person, which outlives the processes that answer in it. */
interface PersonsChat {
  readonly fixture: ConversationFixture;
  readonly chat: TelegramChat;
  readonly id: number;
}

function openProcess({ fixture, chat }: PersonsChat, wrap: Wrap) {
  return openChatProcess({
    chat: wrap(chat),
    conversation: fixture.makeConversation('telegram', undefined, wrap),
    store: wrap(fixture.database.keyMessages),
    clock: fixture.clock,
  });
}

type Process = ReturnType<typeof openProcess>;

function tap({ chat, id }: PersonsChat, { take }: Process, data: string, message = 0): Promise<void> {
  const from = { id, is_bot: false, first_name: 'Ann' };
  const reply_markup = { inline_keyboard: chat.messages.get(message)?.keyboard ?? [] };
  const on = { message_id: message, date: 1, chat: { id, type: 'private' }, reply_markup };
  return take({ callback_query: { id: '1', from, chat_instance: '1', data, message: on } });
}

async function keysOf({ fixture, id }: PersonsChat) {
  const visitor = { platform: 'telegram', userId: String(id), name: null, chat: String(id) } as const;
  return fixture.customers.keysOf((await fixture.customers.visit(visitor)).id);
}

const getKey = (person: PersonsChat, process: Process) =>
  tap(person, process, `issue:free:request_${String(person.id).padStart(4, '0')}`);

/** Taps “Done” under every key. */
async function hideKeys(person: PersonsChat, process: Process): Promise<void> {
  for (const message of person.chat.withKey()) {
    const action = person.chat.messages.get(message)?.keyboard.flat().at(-1)?.callback_data;
    await tap(person, process, String(action), message);
  }
}

const answerName = ({ id }: PersonsChat, { take }: Process) => take(privateText({ id }, 'Desk'));

async function rename(person: PersonsChat, process: Process): Promise<void> {
  const [key] = await keysOf(person);
  await tap(person, process, `rename:${key?.id}`);
  await answerName(person, process);
}

interface Kill {
  /** The number of the call at which the first process dies; null: it lives. */
  readonly dies: number | null;
  /** Whether that call is still carried out. */
  readonly isLastDone: boolean;
  /** Whether the person hides what the dead process showed before they ask again. */
  readonly hidesLater: boolean;
}

/** A process that is killed at a call, then one that lives. Returns whether the first was killed, and its calls. */
async function killAndContinue(person: PersonsChat, { dies, isLastDone, hidesLater }: Kill) {
  const { fixture, chat } = person;
  const { wrap, calls } = createUnrulyProcess({ waits: [0], dies, isLastDone });
  const first = openProcess(person, wrap);
  await getKey(person, first);
  await hideKeys(person, first);
  await rename(person, first);
  const isKilled = await wrap(chat)
    .call('getMe', {})
    .then(
      () => false,
      () => true,
    );
  const made = calls();

  const rows = (await fixture.database.keyMessages.next('telegram', 10)).map(({ messageRef }) => messageRef);
  for (const message of chat.withKey()) expect(rows).toContain(`${person.id}:${message}`);
  const second = openProcess(person, whole);
  // Who was asked for a name answers the process that there is.
  const isAsked = chat.texts.at(-1)?.startsWith('What should') === true;
  if (isAsked) await answerName(person, second);
  if (hidesLater) await hideKeys(person, second);
  const confirmed = chat.texts.some((text) => text.includes('Your key works now')) ? shownKeys(chat) : null;
  await getKey(person, second);
  // A key that its person hid is not replaced.
  if (confirmed !== null) expect(shownKeys(chat)).toEqual(confirmed);
  if (!isAsked) await rename(person, second);
  await fixture.clock.advance(10 * MINUTE_MS);
  await removeDue(fixture.database, second);
  return { isKilled, calls: made };
}

const shownKeys = ({ texts }: TelegramChat) =>
  [...new Set(texts.join('\n').match(/sk_live_[\w-]{43}/g))].toSorted();

async function removeDue({ keyMessages }: Database, process: Process): Promise<void> {
  const stop = new AbortController();
  const running = process.keyMessages.run(stop.signal);
  await vi.waitFor(async () => expect(await keyMessages.next('telegram', 1)).toEqual([]), { interval: 1 });
  stop.abort();
  await running;
}

onEachDatabase(
  'a kill at any call of a store or of Telegram while a key is given, hidden and renamed',
  (fixture) => {
    test.each([
      { isLastDone: true, hidesLater: true },
      { isLastDone: true, hidesLater: false },
      { isLastDone: false, hidesLater: true },
      { isLastDone: false, hidesLater: false },
    ])(
      'leaves one key, which was read and has its name, and no message that shows one after 10 minutes (%o)',
      async (how) => {
        const conversation = await openConversationFixture(fixture.database);
        const killedAt = async (dies: number | null) => {
          const person = { fixture: conversation, chat: new TelegramChat(), id: 100 + (dies ?? -1) };
          const killed = await killAndContinue(person, { dies, ...how });
          const keys = await keysOf(person);
          expect(keys, `killed at ${dies}`).toMatchObject([{ name: 'Desk', handover: { isShown: true } }]);
          expect(person.chat.texts.join('\n')).toContain(`sk_live_${keys[0]?.lookup}`);
          expect(person.chat.withKey(), `killed at ${dies}`).toEqual([]);
          return killed;
        };

        const { calls } = await killedAt(null);
        expect(calls).toBeGreaterThan(20);
        for (const dies of crashPoints(fixture.database.kind, { count: calls, sampled: 6 }))
          expect(await killedAt(dies), `killed at ${dies}`).toMatchObject({ isKilled: true });
      },
    );
  },
);
