import { onTestFinished } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { Feed } from '../../../src/core/alerts/ledger/feed.ts';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { createChannelPosts, type PostRules } from '../../../src/core/chat/channel-posts.ts';
import { withdraw } from '../../../src/core/chat/withdraw.ts';
import { alertOf } from '../alerts.ts';
import { silentLogger } from '../silent-logger.ts';
import { settleMarket, storeAlerts } from '../stored.ts';
import { openChatEngineFixture, settle } from './chat-engine-fixture.ts';
import { type Answer, scriptedMessenger } from './scripted-messenger.ts';

/** Every alert, in one channel, without delay. */
export const ONE: PostRules = { channels: ['telegram'], minScore: 0, minUsdc: 0, delayMs: 0 };

/**
 * The posts over a database, with a messenger whose views name the alert, what became of it, and that an earlier one of its
 * thread was shown before.
 */
export async function openPosts(
  rules: PostRules,
  {
    answer,
    postsPerDay = 1_000,
    isStarted = true,
  }: { answer?: Answer; postsPerDay?: number; isStarted?: boolean } = {},
) {
  const fixture = await openChatEngineFixture();
  const { alerts, settlements, exits } = fixture.database;
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => fixture.clock.sleep(1_000) });
  const { messenger, calls } = scriptedMessenger(answer);
  const make = () => {
    const { store, clock } = fixture;
    const deps = { store, alerts, feed, settlements, exits, rules, clock, logger: silentLogger };
    const posts = createChannelPosts({ ...deps, wake: () => {} });
    onTestFinished(() => posts.close());
    return posts;
  };
  const channel = make();
  if (isStarted) await channel.start(0);
  let isPaused = false;
  const stored = async (alert: Partial<Alert> & { id: number }) => {
    const full = alertOf(alert);
    await storeAlerts(fixture.database, full);
    return full;
  };
  return {
    ...fixture,
    calls,
    make,
    channel,
    stored,
    /** What the platform was asked for: `send 1: open`, and `edit m1 2: open`. */
    shown: () =>
      calls.map(({ how, where, view }) =>
        [how, where, view]
          .filter((part) => part !== 'channel')
          .join(' ')
          .trim(),
      ),
    pause(isNow: boolean) {
      isPaused = isNow;
    },
    withdraw: (alertId: number) =>
      withdraw(
        { store: fixture.store, messengers: { telegram: messenger }, clock: fixture.clock },
        alertId,
        new AbortController().signal,
      ),
    async publish(alert: Partial<Alert> & { id: number }) {
      feed.announce(await stored(alert));
      await settle();
    },
    async resolve(payout: number, marketId = '0xm1') {
      await settleMarket(fixture.database, {
        marketId,
        payouts: [payout, 1 - payout],
        at: fixture.clock.now(),
      });
      await fixture.pass(6 * SECOND_MS);
    },
    send() {
      return fixture.engine(
        { telegram: messenger },
        {
          postsPerDay,
          isPaused: () => isPaused,
          present: async ({ id, kind, facts }) => {
            if (kind === 'daily_digest')
              return `digest ${facts.unposted?.alertIds.join(' ')}, ${facts.unposted?.more} more`;
            if (kind !== 'alert' && kind !== 'alert_update' && kind !== 'alert_result') return id;
            const result = (await alerts.byId(facts.alertId))?.resolution;
            const updated = 'isUpdated' in facts && facts.isUpdated ? ', updated' : '';
            return `${facts.alertId}: ${result === null ? 'open' : result?.payout}${updated}`;
          },
        },
      );
    },
  };
}
