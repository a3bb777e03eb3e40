import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import type { ApiKey } from '../../../../src/core/accounts/keys/api-key.ts';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { ExitReader } from '../../../../src/core/alerts/exits/exit-reader.ts';
import { Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { SettlementReader } from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import { createFailingNotices } from '../../../../src/core/chat/key-notices.ts';
import type { Database } from '../../../../src/core/database.ts';
import type { Deliveries } from '../../../../src/core/delivery/webhooks/deliveries.ts';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { DeliveryEngine } from '../../../../src/core/delivery/webhooks/delivery-engine.ts';
import type { DeliveryEngineOptions } from '../../../../src/core/delivery/webhooks/delivery-engine-options.ts';
import {
  createSigningSecrets,
  type Webhook,
  type WebhookSender,
} from '../../../../src/core/delivery/webhooks/webhook.ts';
import type { WriteMessage } from '../../../../src/core/delivery/webhooks/webhook-format.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutcomeUnknown } from '../../../../src/infra/database/outage.ts';
import { keyOf } from '../../../infra/database/api-key.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { storeAlerts } from '../../../support/stored.ts';
import { webhookOf } from '../../../support/webhooks.ts';
import { withMethods } from '../../../support/with-methods.ts';

/** Keys, webhooks, alerts and engines over a database; without one, over SQLite in memory. */
export async function openDeliveryFixture(given?: Database) {
  const database = given ?? (await openDatabase('sqlite::memory:'));
  if (given === undefined) onTestFinished(() => database.close());
  const clock = createFakeClock(START);
  const feeds: { announce(alert: Alert): void }[] = [];
  let engines = 0;

  function options(
    sender: Pick<WebhookSender, 'send'>,
    change: Partial<DeliveryEngineOptions> = {},
  ): DeliveryEngineOptions {
    engines += 1;
    const retry = () => clock.sleep(1_000);
    const feed = new Feed({ alerts: database.alerts, logger: silentLogger, retry });
    feeds.push(feed);
    const settlements = new SettlementReader(database);
    return {
      ...database,
      isPaused: () => false,
      notifyOwner: createFailingNotices(database.chat),
      feed,
      sender,
      signingSecrets: createSigningSecrets(
        async ({ id, secretVersion }) => `secret ${secretVersion} of ${id}`,
        clock,
      ),
      settlements,
      events: {
        outcome: {
          numbered: settlements,
          publishedAt: ({ settlement }) => settlement.enteredAt,
          serialise: ({ settlement, alerts }) =>
            JSON.stringify({ outcome: settlement.number, alerts: alerts.map(({ id }) => id) }),
          messageOf: async ({ settlement }) => writes(`outcome ${settlement.number}`),
        },
        exit: {
          numbered: new ExitReader(database),
          publishedAt: ({ createdAt }) => createdAt,
          serialise: ({ number }) => JSON.stringify({ exit: number }),
          messageOf: async ({ number }) => writes(`exit ${number}`),
        },
      },
      serialise: (alert) => JSON.stringify({ id: alert.id, event_title: alert.eventTitle }),
      messageOf: async ({ id }) => writes(`alert ${id}`),
      clock,
      logger: silentLogger,
      metrics: noMetrics,
      owner: `engine ${engines}`,
      isOutcomeUnknown,
      yieldToLoop: setImmediate,
      ...change,
    };
  }

  return {
    database,
    clock,
    async key(key: Partial<ApiKey> & { id: string }) {
      await database.keys.insert(keyOf({ tier: 'enterprise', trialEndsAt: null, lookup: key.id, ...key }));
    },
    async webhook(webhook: Partial<Webhook> & { id: string }) {
      await database.webhooks.insert(webhookOf(webhook), 10_000);
    },
    async publish(...alerts: readonly (Partial<Alert> & { id: number })[]) {
      for (const alert of alerts.map(alertOf)) {
        await storeAlerts(database, alert);
        for (const feed of feeds) feed.announce(alert);
      }
    },
    options,
    /** An engine that hears of what is published; `closes: false` is for one that is to die. */
    async engine(
      sender: Pick<WebhookSender, 'send'>,
      { closes = true, ...change }: Partial<DeliveryEngineOptions> & { closes?: boolean } = {},
    ) {
      const engine = new DeliveryEngine(options(sender, change));
      await engine.start((await database.alerts.last())?.id ?? 0);
      if (closes) onTestFinished(() => engine.close());
      return engine;
    },
    /** Lets time pass in steps of a second, so that every sweep has its turn. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await clock.asleep();
        await clock.advance(Math.min(1_000, ms - passed));
      }
      await clock.asleep();
    },
    async close(engine: DeliveryEngine) {
      const closing = engine.close();
      for (let second = 0; second < 9; second += 1) await clock.advance(1_000);
      await closing;
    },
    told: () => database.chat.due({ lane: 'private', now: clock.now(), limit: 10 }),
    async log(webhookId: string): Promise<readonly Delivery[]> {
      return database.deliveries.list(webhookId, { limit: 10_000 });
    },
    async states(webhookId: string): Promise<readonly string[]> {
      const log = await this.log(webhookId);
      return log.toSorted((a, b) => (a.alertId ?? 0) - (b.alertId ?? 0)).map(({ state }) => state);
    },
    async become(...states: readonly string[]) {
      await vi.waitFor(async () => expect(await this.states('wh_a')).toEqual(states));
    },
    async counts(counts: Partial<Webhook>) {
      await vi.waitFor(async () => expect(await database.webhooks.byIds(['wh_a'])).toMatchObject([counts]));
    },
  };
}

/** Writes a message to another address than that of the webhook. */
export const writes =
  (text: string): WriteMessage =>
  ({ url, format }) => ({ url: `${url}&as=${format}`, body: JSON.stringify({ [format]: text }) });

export async function openWithWebhook(webhook: Partial<Webhook> = {}) {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  await fixture.webhook({ id: 'wh_a', ...webhook });
  return fixture;
}

export type DeliveryFixture = Awaited<ReturnType<typeof openDeliveryFixture>>;

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** A store that can be cut off: what is asked then fails before (`away`) or after (`mute`) it took effect. */
export function fragile(store: Deliveries) {
  let mode: 'well' | 'away' | 'mute' = 'well';
  const wrap =
    <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (mode === 'away') throw new Error('away');
      const answer = await call(...args);
      if (mode === 'mute') throw new Error('mute');
      return answer;
    };
  return {
    deliveries: withMethods(store, {
      claim: wrap((...args) => store.claim(...args)),
      finish: wrap((...args) => store.finish(...args)),
      add: wrap((...args) => store.add(...args)),
    }),
    set: (next: typeof mode) => {
      mode = next;
    },
  };
}
