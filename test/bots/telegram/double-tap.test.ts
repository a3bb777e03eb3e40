import { describe, expect, onTestFinished, test } from 'vitest';
import { openChatWorld } from '../../support/chat/chat-world.ts';
import { REPEATED_TAPS } from '../../support/chat/repeated-taps.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import type { StandInMessage, TelegramStandIn } from '../../support/chat/telegram-stand-in.ts';
import { ANNA, eventually, type House, startHouse } from './house.ts';

const GONE = 'cannot be shown again';
const PRO = 'Pro key, 30 days free';

function tapOn(message: StandInMessage, label: string): object {
  const button = message.buttons.find(({ text }) => text === label);
  return privateTap(ANNA, message, button?.callback_data ?? '');
}

function newest(telegram: TelegramStandIn): StandInMessage {
  const message = telegram.messages(ANNA.id).at(-1);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

/** Anna before the two buttons that give a key; `choice` is as she sees it, whatever became of the message since. */
async function openChoice() {
  const world = await openChatWorld();
  onTestFinished(() => world.close());
  const house = await startHouse({ desk: world.makeDesk('telegram') });
  house.telegram.push(privateText(ANNA, '/key'));
  await house.telegram.answered('sendMessage');
  return { world, house, telegram: house.telegram, choice: { ...newest(house.telegram) } };
}

/** The same one step before a new secret for her key. */
async function openRotation() {
  const opened = await openChoice();
  const { world, telegram, choice } = opened;
  await give(opened.house, tapOn(choice, 'Free key'));
  telegram.push(tapOn(newest(telegram), 'Done, hide it'));
  await telegram.answered('deleteMessage');
  const [key] = await world.keys();
  telegram.push(privateTap(ANNA, choice, `rotate:${key?.id}`));
  await eventually(() => telegram.messages(ANNA.id)[0]?.text).toContain('A new secret for Key 1');
  return { ...opened, choice: { ...(telegram.messages(ANNA.id)[0] as StandInMessage) } };
}

/** Taps, one after the other has been acknowledged and answered. */
async function give({ telegram }: House, ...taps: readonly object[]): Promise<void> {
  for (const tap of taps) {
    const before = telegram.messages(ANNA.id).map(({ touched }) => touched);
    telegram.push(tap);
    await telegram.shown(ANNA.id, Math.max(0, ...before));
  }
}

const acknowledged = (telegram: TelegramStandIn) =>
  telegram.calls.filter(({ method }) => method === 'answerCallbackQuery').length;

const cases = [
  { what: 'a key', open: openChoice, taps: REPEATED_TAPS.key },
  { what: 'a new secret', open: openRotation, taps: REPEATED_TAPS.rotation },
];

describe('a button that gives a secret, pressed again on Telegram', () => {
  test.each(cases)('at once: $what stands, and nothing says that it is gone', async ({ open, taps }) => {
    const { world, telegram, choice } = await open();
    const before = acknowledged(telegram);
    for (const label of taps) telegram.push(tapOn(choice, label));
    await eventually(() => acknowledged(telegram)).toBe(before + taps.length);
    telegram.push(privateText(ANNA, '/trial'));
    await eventually(() => newest(telegram).text).toMatch(/trial|Pro left/i);
    await expectReadable(world, telegram);
  });

  test.each(cases)(
    'one after the other: $what stands, and nothing says that it is gone',
    async ({ open, taps }) => {
      const { world, house, telegram, choice } = await open();
      const before = acknowledged(telegram);
      await give(house, ...taps.map((label) => tapOn(choice, label)));
      await eventually(() => acknowledged(telegram)).toBe(before + taps.length);
      await expectReadable(world, telegram);
      expect(telegram.messages(ANNA.id)[0]?.text).toContain('You have this key already: Key 1');
      expect(telegram.messages(ANNA.id)[0]?.buttons.map(({ text }) => text)).toContain('New secret');
    },
  );

  test.each(cases)('after it was hidden: it says that $what was shown once', async ({ open, taps }) => {
    const { house, telegram, choice } = await open();
    await give(house, tapOn(choice, taps[0] ?? ''));
    await give(house, tapOn(newest(telegram), 'Done, hide it'));
    await give(house, tapOn(choice, taps[0] ?? ''));
    expect(telegram.messages(ANNA.id)[0]?.text).toContain(GONE);
  });

  test.each(cases)('after 10 minutes: it says that $what was shown once', async ({ open, taps }) => {
    const { house, telegram, choice } = await open();
    await give(house, tapOn(choice, taps[0] ?? ''));
    await house.clock.asleep();
    await house.clock.advance(600_000);
    await eventually(() => telegram.messages(ANNA.id).at(-1)?.text).not.toContain('sk_live_');
    await give(house, tapOn(choice, taps[0] ?? ''));
    expect(telegram.messages(ANNA.id)[0]?.text).toContain(GONE);
  });
});

const others = [
  { what: 'a key', open: openChoice, gives: PRO, other: 'Menu', answer: 'You have 1 key' },
  {
    what: 'a new secret',
    open: openRotation,
    gives: 'Old one works 24 h more',
    other: 'Change nothing',
    answer: 'Begins with',
  },
];

describe('another button of the message that a secret is asked for in, on Telegram', () => {
  test.each(others)(
    'tapped with the one that gives $what, and after it: the answer comes in that message, and the secret stays',
    async ({ open, gives, other, answer }) => {
      const { world, house, telegram, choice } = await open();
      const before = acknowledged(telegram);
      for (const label of [gives, other]) telegram.push(tapOn(choice, label));
      await eventually(() => telegram.messages(ANNA.id)[0]?.text).toContain(answer);
      await expectReadable(world, telegram);
      await give(house, tapOn(choice, other));
      await eventually(() => acknowledged(telegram)).toBe(before + 3);
      await expectReadable(world, telegram);
    },
  );
});

/** One key, whose newest secret stands in one message; no other says that it is gone. */
async function expectReadable(
  world: Awaited<ReturnType<typeof openChatWorld>>,
  telegram: TelegramStandIn,
): Promise<void> {
  const keys = await world.keys();
  expect(keys).toHaveLength(1);
  const texts = telegram.messages(ANNA.id).map(({ text }) => text);
  const shown = texts.filter((text) => /sk_live_[\w-]{43}/.test(text));
  expect(shown).toEqual([expect.stringContaining(`sk_live_${keys[0]?.lookup}`)]);
  expect(texts.join('\n')).not.toContain(GONE);
}
