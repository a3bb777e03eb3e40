import { setImmediate } from 'node:timers/promises';
import { DeliveryEngine } from '../core/webhooks/delivery-engine.ts';
import { alertJson } from '../http/views/alert-view.ts';
import { isOutcomeUnknown } from '../infra/outage.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import type { AppContext } from './app-context.ts';
import type { Outgoing } from './outgoing.ts';

/** Sends alerts to webhooks; null where this process does not have the role. */
export function wireDeliver(
  context: AppContext,
  { sender, signingSecrets }: Outgoing,
): DeliveryEngine | null {
  const { config, clock, logger, metrics, database, feed, owner } = context;
  if (!config.roles.includes('deliver')) return null;
  const { deliveries, webhooks, keys, alerts, chat } = database;
  return new DeliveryEngine({
    deliveries,
    webhooks,
    keys,
    alerts,
    chat,
    feed,
    sender,
    signingSecrets,
    serialise: alertJson,
    clock,
    logger,
    metrics: metrics.metrics,
    owner,
    isGone: isOwnerGone,
    isOutcomeUnknown,
    yieldToLoop: setImmediate,
  });
}
