import { expect, onTestFinished, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { startMessages } from '../../support/chat/personal-messages.ts';

onEachBot('commands that are not in the menu', (open, platform) => {
  test('are understood when they are typed: other names, a slip, and the way out', async () => {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    const rig = await open({ conversation: fixture.makeConversation(platform) });
    const ann = rig.person('ann');
    const { publish } = await startMessages(fixture, rig, platform);
    await ann.command('follow', 'all');
    await ann.tap('Follow');

    expect((await ann.type('/menu')).buttons).toContain('My follows');
    expect((await ann.type('/folow politics')).text).toContain('Did you mean /follow?');
    expect((await ann.type('/unfollow')).text).toContain('You follow 1.');
    expect((await ann.type('/stop')).text).toContain('Everything is muted.');

    const before = ann.messages().length;
    await publish({ id: 1 });
    for (let second = 0; second < 5; second += 1) await fixture.clock.advance(SECOND_MS);
    await fixture.clock.advance(HOUR_MS);
    expect(ann.messages()).toHaveLength(before);
    const counts = await fixture.database.chat.counts(0);
    expect(counts).toMatchObject({ pending: 0, sent: 0, folded: 0 });
  });
});
