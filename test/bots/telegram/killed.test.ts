import { describe, expect, onTestFinished, test } from 'vitest';
import { openChatWorld } from '../../support/chat/chat-world.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import type { TelegramStandIn } from '../../support/chat/telegram-stand-in.ts';
import { ANNA, eventually, type House, startHouse } from './house.ts';

function newest(telegram: TelegramStandIn) {
  const message = telegram.messages(ANNA.id).at(-1);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

const sent = (telegram: TelegramStandIn) =>
  telegram.calls.filter(({ method }) => method === 'sendMessage').length;

/** Somebody is about to tap for a free key. */
async function openChoice() {
  const world = await openChatWorld();
  onTestFinished(() => world.close());
  const first = await startHouse({ desk: world.makeDesk('telegram') });
  const { telegram } = first;
  telegram.push(privateText(ANNA, '/key'));
  await telegram.answered('sendMessage');
  const choice = newest(telegram).buttons.find(({ text }) => text === 'Free key');
  const tap = privateTap(ANNA, newest(telegram), choice?.callback_data ?? '');
  return { world, first, telegram, tap };
}

/** Nothing of it goes on, as after a kill. */
function kill({ link }: House): void {
  link.close();
}

/** Another process, which Telegram tells of the tap again. */
async function startAgain({ world, telegram, tap }: Awaited<ReturnType<typeof openChoice>>): Promise<void> {
  await startHouse({ desk: world.makeDesk('telegram'), telegram });
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
    open.telegram.fail('sendMessage', 'drop');
    open.telegram.push(open.tap);
    await open.telegram.answered('sendMessage', 2);
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
    await open.telegram.answered('editMessageText');
    const [choice, shown] = open.telegram.messages(ANNA.id);
    expect(choice?.text).toContain('You have this key already');
    expect(shown?.text).toContain((await open.world.keys())[0]?.lookup);
    expect(await open.world.keys()).toHaveLength(1);
  });
});

async function expectOneKey({ world, telegram }: Awaited<ReturnType<typeof openChoice>>): Promise<void> {
  await eventually(async () => (await world.keys())[0]?.handover?.isShown).toBe(true);
  expect(await world.keys()).toHaveLength(1);
  const [key] = await world.keys();
  expect(newest(telegram).text).toContain(`sk_live_${key?.lookup}`);
}
