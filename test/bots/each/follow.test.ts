import { expect, onTestFinished, test } from 'vitest';
import { personalAlert } from '../../../bots/shared/posts/personal-alert.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';

onEachBot('following', (open, platform) => {
  test('by the buttons under an alert leaves its text as it was sent', async () => {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    await fixture.addAlerts();
    await fixture.clock.advance(6 * MINUTE_MS);
    const { bot, person } = await open({ conversation: fixture.makeConversation(platform) });
    const ann = person('ann');
    await ann.command('start');
    const alert = await fixture.database.alerts.byId(2);
    if (alert === null) throw new Error('there is no alert 2');
    const state = {
      ...{ isWalletHidden: false, siteUrl: null, isBrief: false, follows: [], isMarked: false },
      priceNow: 0.34,
    };
    const screen = personalAlert(alert, state);
    const signal = new AbortController().signal;
    await bot.messenger.send({ chat: ann.id }, screen, signal);
    await eventually(() => ann.messages()).toHaveLength(2);
    const sent = ann.messages()[1]?.text ?? '';

    ann.look().press('Mute market');
    await eventually(() => ann.messages()).toHaveLength(3);
    ann.look().press('Undo');
    await eventually(() => ann.messages()[2]?.text).toContain('You hear about Will measure 2 pass? again.');

    expect(sent).toContain('72 · $2,000 on Yes');
    expect(sent).toContain(' · now 34¢');
    expect(ann.messages()[1]?.text).toBe(sent);
    const { id: customerId } = await fixture.customer();
    expect(await fixture.follows.of({ customerId, platform })).toMatchObject({ mutes: [] });
  });
});
