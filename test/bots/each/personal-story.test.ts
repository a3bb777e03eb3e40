import { expect, onTestFinished, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { exitOf } from '../../support/alerts.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { startMessages } from '../../support/chat/personal-messages.ts';

onEachBot('what a person follows', (open, platform) => {
  test('is told once in full and then in a line; its sale and result answer the alert, which gets a sign and nothing else', async () => {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    const rig = await open({ conversation: fixture.makeConversation(platform) });
    const ann = rig.person('ann');
    const { publish, settle } = await startMessages(fixture, rig, platform);
    /** Lets time pass until ann has so many messages. */
    const until = (count: number) =>
      eventually(async () => {
        await fixture.clock.advance(SECOND_MS);
        return ann.messages().length;
      }).toBe(count);
    await ann.command('start');
    await ann.tap('Follow alerts');
    await ann.tap('Politics');
    await ann.tap('Follow');
    const before = ann.messages().length;

    await publish({ id: 1 });
    await until(before + 1);
    const told = ann.messages()[before];
    expect(told?.text).toMatch(/^72 · \$2,000 on Yes at 40¢ to win \$3,000\nWill the measure pass\?/);
    expect(told?.text).toMatch(/\nYour follow: politics$/);
    expect(told).toMatchObject({ buttons: ['Why', 'Page', 'Follow wallet', 'Mute market'], isSilent: false });
    await publish({ id: 2, marketId: '0xm2', eventTitle: 'Will another pass?' });
    await until(before + 2);
    expect(ann.messages()[before + 1]?.text).toMatch(
      /^72 · \$2,000 on Yes at 40¢ to win \$3,000 · Will another pass\?[^\n]*$/,
    );

    const at = fixture.clock.now();
    await fixture.database.exits.append(
      exitOf({ number: 1, tradedAt: at, alertedAt: at - HOUR_MS, createdAt: at }),
    );
    await until(before + 3);
    await settle();
    await until(before + 4);
    const [sale, result] = ann.messages().slice(before + 2);
    expect(sale?.text).toMatch(/^Sold 60 % at 71¢ after 1 h: \+\$7,680\n/);
    expect(result?.text).toMatch(/^✅ Won \$1,200 on the 40 % held\n/);
    for (const answer of [sale, result]) {
      expect(answer?.isSilent).toBe(true);
      expect(answer?.replyTo).not.toBeNull();
    }
    expect(result?.replyTo).toBe(sale?.replyTo);
    await eventually(async () => {
      await fixture.clock.advance(SECOND_MS);
      return ann.messages()[before]?.text;
    }).toBe(`✅ ${told?.text}`);
    expect(ann.messages()).toHaveLength(before + 4);
  });
});
