import { z } from 'zod';
import { TIERS } from '../../core/accounts/tier.ts';
import { DELIVERY_STATES } from '../../core/delivery/webhooks/delivery.ts';
import { WEBHOOK_FORMATS } from '../../core/delivery/webhooks/webhook-format.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { WINDOW_CAUSES } from '../../core/trades/coverage/blind-window.ts';
import { CATEGORIES, SIDES } from '../../core/trades/trade.ts';

// Of several fields and parameters, each with words of its own. Generators make one type of each.
export const alertType = named('AlertType', ALERT_TYPES, 'Why a trade was suspicious.');
export const blindWindowCause = named(
  'BlindWindowCause',
  WINDOW_CAUSES,
  'Why the market could not be observed.',
);
export const category = named('Category', CATEGORIES, 'Category of a market.');
export const deliveryStatus = named('DeliveryStatus', DELIVERY_STATES, 'State of a delivery.');
export const side = named('Side', SIDES, 'Direction of a trade.');
export const tier = named('Tier', TIERS, 'Tier of a key.');
export const webhookFormat = named('WebhookFormat', WEBHOOK_FORMATS, 'How deliveries are written.');

/** A component of the API document. */
export function named<const Word extends string>(id: string, words: readonly Word[], description: string) {
  return z.enum(words).meta({ id, description });
}
