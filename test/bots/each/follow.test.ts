import { expect, onTestFinished, test } from 'vitest';
import { personalAlert } from '../../../bots/shared/posts/personal-alert.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';

onEachBot('following', (open, platform) => {
  async function openFollowing() {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    await fixture.addAlerts();
    await fixture.clock.advance(6 * MINUTE_MS);
    const rig = await open({ conversation: fixture.makeConversation(platform) });
    const followed = async () => {
      const { id: customerId } = await fixture.customer();
      return fixture.follows.of({ customerId, platform });
    };
    return { ...rig, fixture, followed, ann: rig.person('ann') };
  }

  test('takes three taps from /start to a rule, and a line for the time zone', async () => {
    const { ann, followed } = await openFollowing();
    await ann.command('start');
    await ann.tap('Follow alerts');
    await ann.tap('Score 80 or more');
    expect((await ann.tap('Follow')).text).toContain('You follow score 80 or more');
    await ann.tap('Set my time zone');
    expect((await ann.type('berlin')).text).toContain('Time zone: Berlin');
    expect(await followed()).toMatchObject({
      follows: [{ subject: { kind: 'filter', filter: { minScore: 80 } } }],
      ...{ zone: 'Europe/Berlin', place: platform },
    });
  });

  test('by the buttons under an alert leaves its text as it was sent', async () => {
    const { ann, bot, fixture, followed } = await openFollowing();
    await ann.command('start');
    const alert = await fixture.database.alerts.byId(2);
    if (alert === null) throw new Error('there is no alert 2');
    const state = { isWalletHidden: false, siteUrl: null, isBrief: false, follows: [], isMarked: false };
    const screen = personalAlert(alert, state);
    const signal = new AbortController().signal;
    await bot.messenger.send({ chat: ann.id }, screen, signal);
    await eventually(() => ann.messages()).toHaveLength(2);
    const sent = ann.messages()[1]?.text ?? '';

    ann.look().press('Mute market');
    await eventually(() => ann.messages()).toHaveLength(3);
    ann.look().press('Undo');
    await eventually(() => ann.messages()[2]?.text).toContain('You hear of Will measure 2 pass? again.');

    expect(sent).toContain('72 · $2,000 on Yes');
    expect(ann.messages()[1]?.text).toBe(sent);
    expect(await followed()).toMatchObject({ mutes: [] });
  });
});
