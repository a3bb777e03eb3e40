import { describe, expect, onTestFinished, test } from 'vitest';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { REPEATED_TAPS } from '../../support/chat/repeated-taps.ts';
import { shownWhole } from '../../support/chat/shown-whole.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import type { StandInMessage, TelegramStandIn } from '../../support/chat/telegram-wire.ts';
import { ANNA, eventually, startTelegramFixture, type TelegramFixture } from './telegram-fixture.ts';

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
  const conversationFixture = await openConversationFixture();
  onTestFinished(() => conversationFixture.close());
  const fixture = await startTelegramFixture({
    conversation: conversationFixture.makeConversation('telegram'),
  });
  fixture.telegram.push(privateText(ANNA, '/key'));
  await fixture.telegram.answered('sendMessage');
  return {
    world: conversationFixture,
    house: fixture,
    telegram: fixture.telegram,
    choice: { ...newest(fixture.telegram) },
  };
}

/** The same one step before a new secret for her key. */
async function openRotation() {
  const opened = await openChoice();
  const { world: conversationFixture, telegram, choice } = opened;
  await give(opened.house, tapOn(choice, 'Free key'));
  telegram.push(tapOn(newest(telegram), 'Done, hide it'));
  await telegram.answered('deleteMessage');
  const [key] = await conversationFixture.keys();
  telegram.push(privateTap(ANNA, choice, `rotate:${key?.id}`));
  await eventually(() => telegram.messages(ANNA.id)[0]?.text).toContain('A new secret for Key 1');
  return { ...opened, choice: { ...(telegram.messages(ANNA.id)[0] as StandInMessage) } };
}

/** Taps, one after the other has been acknowledged and answered. */
async function give({ telegram }: TelegramFixture, ...taps: readonly object[]): Promise<void> {
  for (const tap of taps) {
    const before = telegram.messages(ANNA.id).map(({ touched }) => touched);
    telegram.push(tap);
    await shownWhole(telegram, ANNA.id, Math.max(0, ...before));
  }
}

const acknowledged = (telegram: TelegramStandIn) =>
  telegram.calls.filter(({ method }) => method === 'answerCallbackQuery').length;

const cases = [
  { what: 'a key', open: openChoice, taps: REPEATED_TAPS.key },
  { what: 'a new secret', open: openRotation, taps: REPEATED_TAPS.rotation },
];

describe('a button that gives a secret, pressed again on Telegram', () => {
  test.each(cases)(
    'tapped concurrently: $what stays, and no message says that it is gone',
    async ({ open, taps }) => {
      const { world: conversationFixture, telegram, choice } = await open();
      const before = acknowledged(telegram);
      for (const label of taps) telegram.push(tapOn(choice, label));
      await eventually(() => acknowledged(telegram)).toBe(before + taps.length);
      telegram.push(privateText(ANNA, '/trial'));
      await eventually(() => newest(telegram).text).toMatch(/trial|Pro left/i);
      await expectReadable(conversationFixture, telegram);
    },
  );

  test.each(cases)(
    'one after the other: $what stands, and nothing says that it is gone',
    async ({ open, taps }) => {
      const { world: conversationFixture, house: fixture, telegram, choice } = await open();
      const before = acknowledged(telegram);
      await give(fixture, ...taps.map((label) => tapOn(choice, label)));
      await eventually(() => acknowledged(telegram)).toBe(before + taps.length);
      await expectReadable(conversationFixture, telegram);
      expect(telegram.messages(ANNA.id)[0]?.text).toContain('You have this key already: Key 1');
      expect(telegram.messages(ANNA.id)[0]?.buttons.map(({ text }) => text)).toContain('New secret');
    },
  );

  test.each(cases)('after it was hidden: it says that $what was shown once', async ({ open, taps }) => {
    const { house: fixture, telegram, choice } = await open();
    await give(fixture, tapOn(choice, taps[0] ?? ''));
    await give(fixture, tapOn(newest(telegram), 'Done, hide it'));
    await give(fixture, tapOn(choice, taps[0] ?? ''));
    expect(telegram.messages(ANNA.id)[0]?.text).toContain(GONE);
  });

  test.each(cases)('after 10 minutes: it says that $what was shown once', async ({ open, taps }) => {
    const { house: fixture, telegram, choice } = await open();
    await give(fixture, tapOn(choice, taps[0] ?? ''));
    await fixture.clock.asleep();
    await fixture.clock.advance(600_000);
    await eventually(() => telegram.messages(ANNA.id).at(-1)?.text).not.toContain('sk_live_');
    await give(fixture, tapOn(choice, taps[0] ?? ''));
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
      const { world: conversationFixture, house: fixture, telegram, choice } = await open();
      const before = acknowledged(telegram);
      for (const label of [gives, other]) telegram.push(tapOn(choice, label));
      await eventually(() => telegram.messages(ANNA.id)[0]?.text).toContain(answer);
      await expectReadable(conversationFixture, telegram);
      await give(fixture, tapOn(choice, other));
      await eventually(() => acknowledged(telegram)).toBe(before + 3);
      await expectReadable(conversationFixture, telegram);
    },
  );
});

/** There is one key, its newest secret is in one message, and no other message says that it is gone. */
async function expectReadable(
  conversationFixture: Awaited<ReturnType<typeof openConversationFixture>>,
  telegram: TelegramStandIn,
): Promise<void> {
  const keys = await conversationFixture.keys();
  expect(keys).toHaveLength(1);
  const texts = telegram.messages(ANNA.id).map(({ text }) => text);
  const shown = texts.filter((text) => /sk_live_[\w-]{43}/.test(text));
  expect(shown).toEqual([expect.stringContaining(`sk_live_${keys[0]?.lookup}`)]);
  expect(texts.join('\n')).not.toContain(GONE);
}
