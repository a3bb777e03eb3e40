import { onTestFinished } from 'vitest';
import { createPresenter } from '../../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { Feed } from '../../../src/core/alerts/ledger/feed.ts';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { ChatEngine } from '../../../src/core/chat/chat-engine.ts';
import { PersonalAlerts } from '../../../src/core/follow/personal-alerts.ts';
import { PersonalChoices } from '../../../src/core/follow/personal-choices.ts';
import { PersonalLists } from '../../../src/core/follow/personal-lists.ts';
import { alertOf, settlementOf } from '../alerts.ts';
import { silentLogger } from '../silent-logger.ts';
import { engineParts } from './chat-engine-fixture.ts';
import type { openConversationFixture } from './conversation-fixture.ts';
import type { BotRig } from './driver.ts';

type Fixture = Awaited<ReturnType<typeof openConversationFixture>>;

/** What fills the outbox and what empties it, lists included, over a real platform's messenger, without the free delay. */
export async function startMessages(
  { database, clock, customers }: Fixture,
  { bot }: BotRig,
  platform: string,
) {
  const { chat, alerts, exits, settlements, followers, keys, hiddenWallets, log } = database;
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(SECOND_MS) });
  const engine = new ChatEngine<Screen>({
    ...engineParts(database),
    ...{ customers, clock, messengers: { [platform]: bot.messenger } },
    choice: new PersonalChoices({
      ...{ chat, followers, customers: database.customers, keys, alerts, hiddenWallets },
      ...{ clock, freeDelayMs: 0 },
    }),
    present: createPresenter({
      ...{ alerts, hiddenWallets, log, clock, exits: new ExitReader(database), messages: chat },
      prices: { lastOf: async () => null },
      ...{ channelDelayMs: 0, freeDelayMs: 0, siteUrl: null, pagesUrl: 'https://tipoff.example.com' },
      ...{ contact: null, profileUrlOf: () => null },
    }),
  });
  const personal = new PersonalAlerts({
    ...{ store: chat, alerts, exits, settlements, followers, keys, hiddenWallets },
    customers: database.customers,
    ...{ feed, clock, logger: silentLogger, freeDelayMs: 0, wake: engine.wake },
  });
  const lists = new PersonalLists({
    ...{ chat, followers, clock, logger: silentLogger, wake: engine.wake },
    yieldToLoop: async () => {},
  });
  await personal.start(0);
  lists.start();
  engine.start();
  onTestFinished(async () => {
    await personal.close();
    await lists.close();
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
