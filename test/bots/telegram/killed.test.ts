import { describe, expect, onTestFinished, test } from 'vitest';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import type { TelegramStandIn } from '../../support/chat/telegram-wire.ts';
import { ANNA, eventually, startTelegramFixture, type TelegramFixture } from './telegram-fixture.ts';

function newest(telegram: TelegramStandIn) {
  const message = telegram.messages(ANNA.id).at(-1);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

const sent = (telegram: TelegramStandIn) =>
  telegram.calls.filter(({ method }) => method === 'sendMessage').length;

/** A person is about to tap for a free key. */
async function openChoice() {
  const fixture = await openConversationFixture();
  onTestFinished(() => fixture.close());
  const first = await startTelegramFixture({ conversation: fixture.makeConversation('telegram') });
  const { telegram } = first;
  telegram.push(privateText(ANNA, '/key'));
  await telegram.answered('sendMessage');
  const choice = newest(telegram).buttons.find(({ text }) => text === 'Free key');
  const tap = privateTap(ANNA, newest(telegram), choice?.callback_data ?? '');
  return { world: fixture, first, telegram, tap };
}

/** Stops everything, as a kill does. */
function kill({ link }: TelegramFixture): void {
  link.close();
}

/** Another process, to which Telegram sends the tap again. */
async function startAgain({
  world: fixture,
  telegram,
  tap,
}: Awaited<ReturnType<typeof openChoice>>): Promise<void> {
  await startTelegramFixture({ conversation: fixture.makeConversation('telegram'), telegram });
  telegram.push(tap);
}

/** Issue, "killed in mid-flow: no key lost or issued twice, no user refused wrongly". */
describe('a kill while a key is given on Telegram', () => {
  test('before the message was sent: the tap that comes again gives the one key', async () => {
    const open = await openChoice();
    open.telegram.fail('sendMessage', 'hang');
    open.telegram.push(open.tap);
    await eventually(() => sent(open.telegram)).toBe(2);
    kill(open.first);
    await startAgain(open);
    await expectOneKey(open);
  });

  test('after it arrived, before we heard of it: that key dies, and the tap gives another', async () => {
    const open = await openChoice();
    open.telegram.fail('editMessageText', 'drop');
    open.telegram.push(open.tap);
    await open.telegram.answered('editMessageText');
    kill(open.first);
    await startAgain(open);
    await expectOneKey(open);
  });

  test('after it was confirmed: the tap gives no second key', async () => {
    const open = await openChoice();
    open.telegram.push(open.tap);
    await eventually(async () => (await open.world.keys())[0]?.handover?.isShown).toBe(true);
    kill(open.first);
    await startAgain(open);
    await open.telegram.answered('editMessageText', 2);
    const [choice, shown] = open.telegram.messages(ANNA.id);
    expect(choice?.text).toContain('You have this key already');
    expect(shown?.text).toContain((await open.world.keys())[0]?.lookup);
    expect(await open.world.keys()).toHaveLength(1);
  });
});

async function expectOneKey({
  world: fixture,
  telegram,
}: Awaited<ReturnType<typeof openChoice>>): Promise<void> {
  await eventually(async () => (await fixture.keys())[0]?.handover?.isShown).toBe(true);
  expect(await fixture.keys()).toHaveLength(1);
  const [key] = await fixture.keys();
  expect(newest(telegram).text).toContain(`sk_live_${key?.lookup}`);
}
