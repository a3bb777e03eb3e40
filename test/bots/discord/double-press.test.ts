import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ConversationFixture,
  openConversationFixture,
} from '../../support/chat/conversation-fixture.ts';
import {
  type DiscordPerson,
  type DiscordRig,
  openDiscordRig,
  untilState,
} from '../../support/chat/discord-driver.ts';
import { EPHEMERAL, type Outcome, type StandInMessage } from '../../support/chat/discord-wire.ts';
import { REPEATED_TAPS } from '../../support/chat/repeated-taps.ts';
import { createFakeClock, type FakeClock } from '../../support/clock.ts';

const GONE = 'cannot be shown again';
const PRO = 'Pro key, 30 days free';

let fixture: ConversationFixture;
let rig: DiscordRig;
afterEach(async () => {
  await rig.close();
  await fixture.close();
});

interface Opened {
  readonly ann: DiscordPerson;
  /** As she sees it, whatever became of the message since. */
  readonly choice: StandInMessage;
}

/** Ann before the two buttons that give a key. */
async function openChoice(clock?: FakeClock): Promise<Opened> {
  fixture = await openConversationFixture();
  rig = await openDiscordRig(() => fixture.makeConversation('discord'), clock === undefined ? {} : { clock });
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

/** `on`: what Discord sends as the message of the button, by default as it was before the secret came. */
function press({ ann, choice }: Opened, label: string, on: StandInMessage = choice) {
  const parts = choice.components.flatMap(
    (row) => row.components as { label?: string; custom_id?: string }[],
  );
  return ann.press(parts.find((part) => part.label === label)?.custom_id ?? '', on);
}

const asItStands = ({ choice }: Opened) => rig.standIn.messages.get(choice.id) as StandInMessage;

async function restart(): Promise<void> {
  await rig.bot.close();
  rig = await openDiscordRig(() => fixture.makeConversation('discord'), {}, rig.standIn);
  await rig.bot.start();
  await untilState(rig.bot, 'running');
}

const acknowledged = () => rig.standIn.calls.filter(({ path }) => path.endsWith('/callback')).length;

const cases = [
  { what: 'a key', open: openChoice, taps: REPEATED_TAPS.key },
  { what: 'a new secret', open: openRotation, taps: REPEATED_TAPS.rotation },
];

describe('a button that gives a secret, pressed again on Discord', () => {
  test.each(cases)('pressed concurrently: the message with $what stays unchanged', async ({ open, taps }) => {
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
    expect(content).toContain('It is in a separate message in this chat');
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

  test.each(cases)('after a restart: the message with $what stays as it is', async ({ open, taps }) => {
    const opened = await open();
    await press(opened, taps[0] ?? '').outcome;
    await restart();
    const outcome = await press(opened, taps[0] ?? '', asItStands(opened)).outcome;
    expect(contentApart(opened, outcome)).toContain('You have this key already');
    await expectReadable(opened);
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

describe('another button of the message that a secret comes in, on Discord', () => {
  test.each(others)(
    'pressed with the one that gives $what: the answer comes apart, and the secret stays until it is hidden',
    async ({ open, gives, other, answer }) => {
      const opened = await open();
      press(opened, gives);
      const outcome = await press(opened, other).outcome;
      expect(contentApart(opened, outcome)).toContain(answer);
      await expectReadable(opened);
      await hide(opened);
    },
  );

  test.each(others)(
    'pressed after it: the answer comes apart, and $what stays until it is hidden',
    async ({ open, gives, other, answer }) => {
      const opened = await open();
      await press(opened, gives).outcome;
      for (const on of [opened.choice, asItStands(opened)]) {
        const outcome = await press(opened, other, on).outcome;
        expect(contentApart(opened, outcome)).toContain(answer);
      }
      await expectReadable(opened);
      await hide(opened);
    },
  );

  test.each(others)(
    'pressed after a restart: the answer comes apart, and $what stays until it is hidden',
    async ({ open, gives, other, answer }) => {
      const opened = await open();
      await press(opened, gives).outcome;
      await restart();
      const outcome = await press(opened, other, asItStands(opened)).outcome;
      expect(contentApart(opened, outcome)).toContain(answer);
      await expectReadable(opened);
      await hide(opened);
    },
  );

  test('pressed after a restart: a key that stands there as plain text stays, too', async () => {
    const opened = await openChoice();
    rig.standIn.fault(/^PATCH \/webhooks/, { status: 400, code: 50_035 });
    await press(opened, PRO).outcome;
    await restart();
    const before = asItStands(opened);
    const outcome = await press(opened, 'Menu', before).outcome;
    expect(contentApart(opened, outcome)).toContain('You have 1 key');
    expect(before.content).toContain('sk\\_live\\_');
    expect(asItStands(opened)).toEqual(before);
  });

  test('a second key comes in a message of its own, and each goes away after 10 minutes', async () => {
    const clock = createFakeClock(0);
    const opened = await openChoice(clock);
    await opened.ann.command('key');
    const second = { ann: opened.ann, choice: newestOf(opened.ann) };
    await press(opened, PRO).outcome;
    const outcome = await press(second, 'Free key', asItStands(opened)).outcome;
    expect(contentApart(opened, outcome)).toContain('sk_live_');
    expect(asItStands(opened).content).toContain('sk_live_');
    const shown = [opened.choice.id, messageOf(outcome).id];
    await clock.asleep(2);
    await clock.advance(600_000);
    await vi.waitFor(() => expect(shown.filter((id) => rig.standIn.messages.has(id))).toEqual([]));
    expect(rig.standIn.messages.has(second.choice.id)).toBe(true);
  });
});

function messageOf(outcome: Outcome): StandInMessage {
  if (outcome.kind !== 'message') throw new Error('no message');
  return outcome.message;
}

/** What an answer says that is not in the message that was pressed. */
function contentApart({ choice }: Opened, outcome: Outcome): string {
  const { id, flags, content } = messageOf(outcome);
  expect(id).not.toBe(choice.id);
  expect(flags).toBe(EPHEMERAL);
  return content;
}

async function hide(opened: Opened): Promise<void> {
  await opened.ann.press('tap0:hide', asItStands(opened)).outcome;
  expect(asItStands(opened).content).toContain('Hidden. Your key works now.');
}

/** There is one key, and its newest secret is in the message that was pressed. */
async function expectReadable({ choice }: Opened): Promise<void> {
  const keys = await fixture.keys();
  expect(keys).toHaveLength(1);
  const content = rig.standIn.messages.get(choice.id)?.content;
  expect(content).toContain(`sk_live_${keys[0]?.lookup}`);
  expect(content).toContain('Copy it now');
}
