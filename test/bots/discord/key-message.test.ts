import { describe, expect, onTestFinished, test } from 'vitest';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { type DiscordPerson, startDiscordFixture } from '../../support/chat/discord-driver.ts';
import { EPHEMERAL, type Outcome, type StandInMessage } from '../../support/chat/discord-wire.ts';
import { eventually } from '../../support/chat/driver.ts';

const PRO = 'Pro key, 30 days free';

/** Ann before the two buttons that give a key. */
async function openChoice() {
  const fixture = await openConversationFixture();
  onTestFinished(() => fixture.close());
  const first = await startDiscordFixture({ conversation: fixture.makeConversation('discord') });
  const { standIn } = first;
  const ann = first.person('ann');
  await ann.command('key');
  const choice = newestOf(ann);
  const now = () => standIn.messages.get(choice.id) as StandInMessage;
  return {
    ...{ ...first, ann, choice, now },
    /** `on`: what Discord sends as the message of the button, by default as it was before the secret came. */
    press: (label: string, on: StandInMessage = choice) => ann.press(idOf(label, choice), on).outcome,
    async restart() {
      await first.bot.close();
      await startDiscordFixture({ conversation: fixture.makeConversation('discord'), standIn });
    },
    /** What an answer says that is not in the message that was pressed. */
    apart(outcome: Outcome): string {
      const { id, flags, content } = messageOf(outcome);
      expect(id).not.toBe(choice.id);
      expect(flags).toBe(EPHEMERAL);
      return content;
    },
    async expectReadable() {
      const [key] = await fixture.keys();
      expect(now().content).toContain(`sk_live_${key?.lookup}`);
    },
  };
}

function idOf(label: string, { components }: StandInMessage): string {
  const parts = components.flatMap((row) => row.components as { label?: string; custom_id?: string }[]);
  return parts.find((part) => part.label === label)?.custom_id ?? '';
}

function newestOf(person: DiscordPerson): StandInMessage {
  const message = person.newest();
  if (message === null) throw new Error('there is no message');
  return message;
}

function messageOf(outcome: Outcome): StandInMessage {
  if (outcome.kind !== 'message') throw new Error('no message');
  return outcome.message;
}

describe('a message with a key on Discord', () => {
  test('is named where its button is pressed on another message', async () => {
    const { ann, press, standIn, expectReadable } = await openChoice();
    await press(PRO);
    await ann.command('keys');
    const other = newestOf(ann);
    await press(PRO, other);
    expect(standIn.messages.get(other.id)?.content).toContain('It is in a separate message in this chat');
    await expectReadable();
  });

  test('stays after a restart when it is pressed again, until it is hidden', async () => {
    const { ann, press, restart, now, apart, expectReadable } = await openChoice();
    await press(PRO);
    await restart();
    expect(apart(await press(PRO, now()))).toContain('You have this key already');
    expect(apart(await press('Menu', now()))).toContain('You have 1 key');
    await expectReadable();
    await ann.press(idOf('Done, hide it', now()), now()).outcome;
    expect(now().content).toContain('Hidden. Your key works now.');
  });

  test('stays after a restart also when it stands there as plain text', async () => {
    const { standIn, press, restart, now, apart } = await openChoice();
    standIn.fault(/^PATCH \/webhooks/, { status: 400, code: 50_035 });
    await press(PRO);
    await restart();
    const before = now();
    expect(apart(await press('Menu', before))).toContain('You have 1 key');
    expect(before.content).toContain('sk\\_live\\_');
    expect(now()).toEqual(before);
  });

  test('leaves room for a second key in a message of its own, and each goes away after 10 minutes', async () => {
    const { ann, choice, press, now, apart, clock, standIn } = await openChoice();
    await ann.command('key');
    const second = newestOf(ann);
    await press(PRO);
    const outcome = await ann.press(idOf('Free key', second), now()).outcome;
    expect(apart(outcome)).toContain('sk_live_');
    expect(now().content).toContain('sk_live_');
    const shown = [choice.id, messageOf(outcome).id];
    await clock.asleep(2);
    await clock.advance(600_000);
    await eventually(() => shown.filter((id) => standIn.messages.has(id))).toEqual([]);
    expect(standIn.messages.has(second.id)).toBe(true);
  });
});
