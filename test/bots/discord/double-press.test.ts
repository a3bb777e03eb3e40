import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ChatWorld, openChatWorld } from '../../support/chat/chat-world.ts';
import {
  type DiscordPerson,
  type DiscordRig,
  openDiscordRig,
  untilState,
} from '../../support/chat/discord-driver.ts';
import type { StandInMessage } from '../../support/chat/discord-stand-in.ts';

const GONE = 'cannot be shown again';
const PRO = 'Pro key, 30 days free';

let world: ChatWorld;
let rig: DiscordRig;
afterEach(async () => {
  await rig.close();
  await world.close();
});

interface Opened {
  readonly ann: DiscordPerson;
  /** As she sees it, whatever became of the message since. */
  readonly choice: StandInMessage;
}

/** Ann before the two buttons that give a key. */
async function openChoice(): Promise<Opened> {
  world = await openChatWorld();
  rig = await openDiscordRig(() => world.makeDesk('discord'));
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  const ann = rig.person('ann');
  await ann.command('key');
  return { ann, choice: newestOf(ann) };
}

/** The same one step before a new secret for her key. */
async function openRotation(): Promise<Opened> {
  const { ann } = await openChoice();
  await ann.tap('Free key');
  await ann.tap('Done, hide it');
  await ann.tap('My keys');
  await ann.tap('Key 1');
  await ann.tap('New secret');
  return { ann, choice: newestOf(ann) };
}

function newestOf(person: DiscordPerson): StandInMessage {
  const message = person.newest();
  if (message === null) throw new Error('there is no message');
  return message;
}

function press({ ann, choice }: Opened, label: string) {
  const parts = choice.components.flatMap(
    (row) => row.components as { label?: string; custom_id?: string }[],
  );
  return ann.press(parts.find((part) => part.label === label)?.custom_id ?? '', choice);
}

const acknowledged = () => rig.standIn.calls.filter(({ path }) => path.endsWith('/callback')).length;

const cases = [
  { what: 'a key', open: openChoice, taps: [PRO, PRO, 'Free key', PRO] },
  {
    what: 'a new secret',
    open: openRotation,
    taps: [
      'Old one works 24 h more',
      'Old one works 24 h more',
      'Old one dies now',
      'Old one works 24 h more',
    ],
  },
];

describe('a button that gives a secret, pressed again on Discord', () => {
  test.each(cases)('at once: the message with $what stays as it is', async ({ open, taps }) => {
    const opened = await open();
    const before = acknowledged();
    const [first] = taps.map((label) => press(opened, label));
    await first?.outcome;
    await opened.ann.command('keys');
    expect(acknowledged()).toBe(before + taps.length + 1);
    await expectReadable(opened);
  });

  test.each(cases)('one after the other: the message with $what stays as it is', async ({ open, taps }) => {
    const opened = await open();
    const before = acknowledged();
    await press(opened, taps[0] ?? '').outcome;
    for (const [index, label] of taps.slice(1).entries()) {
      press(opened, label);
      await vi.waitFor(() => expect(acknowledged()).toBe(before + index + 2));
    }
    await opened.ann.command('keys');
    await expectReadable(opened);
  });

  test('on another message: that one says where the key is', async () => {
    const opened = await openChoice();
    await press(opened, PRO).outcome;
    await opened.ann.command('keys');
    const other = newestOf(opened.ann);
    await press({ ...opened, choice: { ...opened.choice, id: other.id } }, PRO).outcome;
    const content = rig.standIn.messages.get(other.id)?.content;
    expect(content).toContain('It is in a message of its own in this chat');
    expect(content).not.toContain(GONE);
    await expectReadable(opened);
  });

  test.each(cases)('after it was hidden: it says that $what was shown once', async ({ open, taps }) => {
    const opened = await open();
    const shown = await press(opened, taps[0] ?? '').outcome;
    if (shown.kind !== 'message') throw new Error('no message');
    await opened.ann.press('tap0:hide', shown.message).outcome;
    await press(opened, taps[0] ?? '').outcome;
    expect(rig.standIn.messages.get(opened.choice.id)?.content).toContain(GONE);
  });

  test.each(cases)('after a restart: it says that $what was shown once', async ({ open, taps }) => {
    const opened = await open();
    await press(opened, taps[0] ?? '').outcome;
    await rig.bot.close();
    rig = await openDiscordRig(() => world.makeDesk('discord'), {}, rig.standIn);
    await rig.bot.start();
    await untilState(rig.bot, 'running');
    await press(opened, taps[0] ?? '').outcome;
    expect(rig.standIn.messages.get(opened.choice.id)?.content).toContain(GONE);
  });
});

/** One key, whose newest secret stands in the message that was pressed. */
async function expectReadable({ choice }: Opened): Promise<void> {
  const keys = await world.keys();
  expect(keys).toHaveLength(1);
  const content = rig.standIn.messages.get(choice.id)?.content;
  expect(content).toContain(`sk_live_${keys[0]?.lookup}`);
  expect(content).toContain('Copy it now');
}
