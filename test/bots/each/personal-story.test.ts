import { expect, onTestFinished, test } from 'vitest';
import { createPresenter } from '../../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { Feed } from '../../../src/core/alerts/ledger/feed.ts';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { ChatEngine } from '../../../src/core/chat/chat-engine.ts';
import { PersonalAlerts } from '../../../src/core/follow/personal-alerts.ts';
import { PersonalChoices } from '../../../src/core/follow/personal-choices.ts';
import { alertOf, exitOf, settlementOf } from '../../support/alerts.ts';
import { engineParts } from '../../support/chat/chat-engine-fixture.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { type BotRig, eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { silentLogger } from '../../support/silent-logger.ts';

type Fixture = Awaited<ReturnType<typeof openConversationFixture>>;

/** What fills the outbox and what empties it, over a real platform's messenger, without the free delay. */
async function startMessages({ database, clock, customers }: Fixture, { bot }: BotRig, platform: string) {
  const { chat, alerts, exits, settlements, followers, keys, statements, log } = database;
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(SECOND_MS) });
  const engine = new ChatEngine<Screen>({
    ...engineParts(database),
    ...{ customers, clock, messengers: { [platform]: bot.messenger } },
    choice: new PersonalChoices({
      ...{ chat, followers, customers: database.customers, keys, alerts, statements },
      ...{ clock, freeDelayMs: 0 },
    }),
    present: createPresenter({
      ...{ alerts, statements, log, clock, exits: new ExitReader(database), messages: chat },
      ...{ channelDelayMs: 0, freeDelayMs: 0, siteUrl: null, pagesUrl: 'https://tipoff.example.com' },
      ...{ contact: null, profileUrlOf: () => null },
    }),
  });
  const personal = new PersonalAlerts({
    ...{ store: chat, alerts, exits, settlements, followers, keys, statements },
    customers: database.customers,
    ...{ feed, clock, logger: silentLogger, freeDelayMs: 0, wake: engine.wake },
  });
  await personal.start(0);
  engine.start();
  onTestFinished(async () => {
    await personal.close();
    await engine.close();
  });
  return {
    async publish(given: Partial<Alert> & { id: number }) {
      const at = clock.now();
      const alert = alertOf({ tradedAt: at, createdAt: at, ...given });
      await alerts.append(alert);
      feed.announce(alert);
    },
    async settle() {
      const resolution = { payout: 1, won: true, profitUsdc: 3_000 };
      await alerts.resolveMarket('0xm1', () => resolution);
      const settlement = settlementOf({ log: { sequence: 0, hash: '', at: clock.now() } });
      await settlements.put(settlement);
      feed.announceSettlement(settlement);
    },
  };
}

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
    expect(sale?.text).toMatch(/^Sold 60 % at 71¢ on the market after 1 h: \+\$7,680\n/);
    expect(result?.text).toMatch(/^✅ Won \$3,000 if held to the end\n/);
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
