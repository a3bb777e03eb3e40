import { setImmediate } from 'node:timers/promises';
import { WebhookMessages, writeTest } from '../../bots/shared/formats/webhook-messages.ts';
import type { RateLimiter } from '../core/accounts/limits/rate-limiter.ts';
import { createFailingNotices } from '../core/chat/key-notices.ts';
import { DeliveryEngine } from '../core/delivery/webhooks/delivery-engine.ts';
import { Redeliveries } from '../core/delivery/webhooks/redeliveries.ts';
import {
  createSigningSecrets,
  type SigningSecrets,
  type WebhookSecrets,
  type WebhookSender,
} from '../core/delivery/webhooks/webhook.ts';
import { WebhookService } from '../core/delivery/webhooks/webhook-service.ts';
import { WebhookTester } from '../core/delivery/webhooks/webhook-tester.ts';
import type { IsPublicAddress } from '../core/delivery/webhooks/webhook-url.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { alertJson, sampleAlertJson } from '../http/views/alert-view.ts';
import { exitEventJson } from '../http/views/exit-view.ts';
import { outcomeEventJson } from '../http/views/outcome-view.ts';
import { isOutcomeUnknown } from '../infra/database/outage.ts';
import { isPublicAddress } from '../infra/outgoing/public-address.ts';
import { HttpWebhookSender } from '../infra/outgoing/webhook-sender.ts';
import { processOwner } from '../infra/process/process-owner.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import { checkSecretKey, createWebhookSecrets } from '../infra/secrets/secret-key.ts';
import type { AppContext } from './app-context.ts';
import { siteUrlOf } from './public-url.ts';

export interface Outgoing {
  /** Null: any address may be a target, for development. */
  readonly isPublicAddress: IsPublicAddress | null;
  readonly sender: WebhookSender;
  readonly secretOf: WebhookSecrets;
  readonly signingSecrets: SigningSecrets;
}

/** Throws a `UserError` when `SECRET_KEY` has changed without `SECRET_KEY_PREVIOUS`. */
export async function wireOutgoing(context: AppContext): Promise<Outgoing> {
  const { config, clock, logger } = context;
  const { allowPrivate } = config.webhooks;
  if (allowPrivate)
    logger.warn({}, 'WEBHOOK_ALLOW_PRIVATE is set: webhooks may go to addresses that are not public');
  const isPublic = allowPrivate ? null : isPublicAddress;
  const { secretOf, former } = await wireSecrets(context);
  return {
    isPublicAddress: isPublic,
    sender: new HttpWebhookSender({ isPublic, clock, logger }),
    secretOf,
    signingSecrets: createSigningSecrets(secretOf, clock, former),
  };
}

async function wireSecrets({ config, logger, database }: AppContext) {
  const { secretKey, previousSecretKey: previous } = config.webhooks;
  const { secrets, webhooks } = database;
  const shared = { secrets, random: secureRandom, logger };
  const countWebhooks = async () => (await webhooks.totals()).webhooks;
  const formerKey = await checkSecretKey({ ...shared, secretKey, previous, countWebhooks });
  const former = formerKey === null ? null : createWebhookSecrets({ ...shared, secretKey: formerKey });
  return { secretOf: createWebhookSecrets({ ...shared, secretKey }), former };
}

/** Sends alerts to webhooks. */
export function wireDeliver(context: AppContext, { sender, signingSecrets }: Outgoing): DeliveryEngine {
  const { config, clock, logger, metrics, database, feed, settlements, exits, pauseFlags } = context;
  const { deliveries, webhooks, keys, alerts, hiddenWallets, chat } = database;
  const { freeDelayMs } = config;
  const pagesUrl = siteUrlOf(config.server);
  const messages = new WebhookMessages({ alerts, exits, hiddenWallets, pagesUrl, freeDelayMs });
  return new DeliveryEngine({
    deliveries,
    webhooks,
    keys,
    alerts,
    notifyOwner: createFailingNotices(chat),
    feed,
    settlements,
    sender,
    signingSecrets,
    serialise: alertJson,
    messageOf: messages.ofAlert,
    events: {
      outcome: {
        numbered: settlements,
        publishedAt: ({ settlement }) => settlement.enteredAt,
        serialise: outcomeEventJson,
        messageOf: messages.ofOutcome,
      },
      exit: {
        numbered: exits,
        publishedAt: ({ createdAt }) => createdAt,
        serialise: exitEventJson,
        messageOf: messages.ofExit,
      },
    },
    isPaused: () => pauseFlags.isPaused('webhooks'),
    clock,
    logger,
    metrics: metrics.metrics,
    // Not that of the process: a second engine of it must not repeat the names of calls.
    owner: processOwner(),
    isOutcomeUnknown,
    yieldToLoop: setImmediate,
  });
}

export function wireWebhooks(
  { clock, logger, database: { webhooks: store, deliveries } }: AppContext,
  { sender, secretOf, signingSecrets }: Outgoing,
  rateLimiter: RateLimiter,
): Pick<ServerDeps, 'webhooks' | 'webhookTester' | 'redeliveries'> {
  const shared = { deliveries, random: secureRandom, clock };
  const webhooks = new WebhookService({ ...shared, webhooks: store, secretOf });
  const sending = { sender, signingSecrets, serialise: sampleAlertJson, testMessage: writeTest };
  const webhookTester = new WebhookTester({ ...shared, ...sending, webhooks, rateLimiter, logger });
  const redeliveries = new Redeliveries({ webhooks, deliveries, rateLimiter, clock });
  return { webhooks, webhookTester, redeliveries };
}
