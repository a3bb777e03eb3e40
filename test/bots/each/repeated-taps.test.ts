import { expect, onTestFinished, test } from 'vitest';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';

const GONE = 'cannot be shown again';
const PRO = 'Pro key, 30 days free';
const KEPT = 'Keep the old key 24 h';

onEachBot('a button that gives a secret', (open, platform) => {
  /** Ann before the two buttons that give a key. */
  async function openChoice() {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    const rig = await open({ conversation: fixture.makeConversation(platform) });
    const ann = rig.person('ann');
    await ann.command('key');
    const texts = () => ann.messages().map(({ text }) => text);
    /** There is one key, its newest secret is in one message, and no message says that it is gone. */
    const expectReadable = async () => {
      const keys = await fixture.keys();
      expect(keys).toHaveLength(1);
      const shown = texts().filter((text) => /sk_live_[\w-]{43}/.test(text));
      expect(shown).toEqual([expect.stringContaining(`sk_live_${keys[0]?.lookup}`)]);
      expect(texts().join('\n')).not.toContain(GONE);
    };
    /** A command that was given after them is answered: so are they. */
    const settled = async () => {
      ann.send('/upgrade');
      await eventually(() => texts().join('\n')).toContain('Enterprise: alerts in real time');
    };
    return { ...rig, ann, texts, expectReadable, settled, choice: ann.look() };
  }

  async function openRotation() {
    const opened = await openChoice();
    const { ann } = opened;
    for (const label of ['Free key', 'Done, hide it', 'My keys', 'Key 1', 'Replace']) await ann.tap(label);
    return { ...opened, choice: ann.look() };
  }

  const cases = [
    { what: 'a key', open: openChoice, gives: PRO, second: 'Free key' },
    { what: 'a new key', open: openRotation, gives: KEPT, second: 'End the old key now' },
  ];

  test.each(cases)(
    'pressed four times at once, $what stays readable',
    async ({ open: openCase, gives, second }) => {
      const { choice, expectReadable, settled } = await openCase();
      for (const label of [gives, gives, second, gives]) choice.press(label);
      await settled();
      await expectReadable();
    },
  );

  test.each(cases)(
    'pressed one time after the other, $what stays readable',
    async ({ open: openCase, gives, second }) => {
      const { choice, texts, expectReadable, settled } = await openCase();
      choice.press(gives);
      await eventually(() => texts().join('\n')).toMatch(/sk_live_[\w-]{43}/);
      for (const label of [gives, second, gives]) choice.press(label);
      await settled();
      await expectReadable();
    },
  );

  test.each(cases)(
    'pressed after $what was hidden, says that it was shown once',
    async ({ open: openCase, gives }) => {
      const { ann, choice, texts } = await openCase();
      await ann.tap(gives);
      await ann.tap('Done, hide it');
      choice.press(gives);
      await eventually(() => texts().join('\n')).toContain(GONE);
    },
  );

  test.each([
    { what: 'a key', open: openChoice, gives: PRO, other: 'Menu', answer: 'You have 1 key' },
    { what: 'a new key', open: openRotation, gives: KEPT, other: 'Change nothing', answer: 'Begins with' },
  ])(
    'and another button beside it, pressed at once and after it: both answers are there, and $what stays readable',
    async ({ open: openCase, gives, other, answer }) => {
      const { choice, texts, expectReadable, settled } = await openCase();
      for (const label of [gives, other]) choice.press(label);
      await eventually(() => texts().join('\n')).toContain(answer);
      await expectReadable();
      choice.press(other);
      await settled();
      await expectReadable();
    },
  );
});
