import { expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { startMessages } from '../../support/chat/personal-messages.ts';
import { walletOf } from '../../support/followers.ts';

const FOLLOWED = walletOf(0xf0);

onEachBot('the limit of a day', (open, platform) => {
  test('lets 15 alerts of a filter pass and follows up to 20, says once that it is reached, and the list has the rest', async () => {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    const rig = await open({ conversation: fixture.makeConversation(platform) });
    const ann = rig.person('ann');
    const { publish } = await startMessages(fixture, rig, platform);
    const texts = () => ann.messages().map(({ text }) => text);
    const count = (part: string) => texts().filter((text) => text.includes(part)).length;
    const publishAll = async (ids: readonly number[], wallet: (id: number) => string) => {
      for (const id of ids)
        await publish({ id, marketId: `0xm${id}`, eventTitle: `Question ${id}?`, wallet: wallet(id) });
    };
    /** Lets time pass until a message with this text has come so often; slowly, as what is an hour late is only listed. */
    const until = (part: string, times: number, stepMs = SECOND_MS) =>
      expect
        .poll(
          async () => {
            await fixture.clock.advance(stepMs);
            await rig.clock.advance(stepMs);
            return count(part);
          },
          { interval: 60 },
        )
        .toBe(times);
    await ann.command('follow', 'all');
    expect((await ann.tap('Follow')).text).toContain(
      'Up to 20 alerts a day: at most 15 from filters, so that follows still reach you. The rest come as one list at 19:00 UTC',
    );
    // There it is 18:00.
    await ann.tap('Set my time zone');
    expect((await ann.type('chicago')).text).toContain('where it is 18:00.');
    await ann.command('follow', FOLLOWED.wallet);
    await ann.tap('Follow');

    await publishAll(range(1, 18), (id) => walletOf(id).wallet);
    await until('That’s today’s limit.', 1);
    expect(count('Your follow: all alerts')).toBe(15);
    expect(texts().at(-1)).toContain(
      'That’s today’s limit. The rest come as one list at 19:00. Alerts of the wallets and markets that you follow still come.',
    );

    await publishAll(range(19, 25), () => FOLLOWED.wallet);
    await until('Your follows: all alerts, wallet', 1);
    await until('Question', 20);
    await until('This evening’s list', 1, 10 * MINUTE_MS);
    expect(count('That’s today’s limit.')).toBe(1);
    const list = texts().at(-1) ?? '';
    expect(list).toContain('5 alerts, best first.');
    expect(list.match(/Question \d+\?/g)).toHaveLength(5);
  });
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
