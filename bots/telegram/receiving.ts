import { createHmac } from 'node:crypto';
import type { Update } from 'grammy/types';
import { untilAborted } from '../../src/core/async/until-aborted.ts';
import type { OutageTracker } from './outage-tracker.ts';
import { UPDATES } from './polling.ts';
import type { TelegramLink } from './telegram-link.ts';
import type { WebhookListener } from './webhook.ts';

export interface ReceivingOptions {
  readonly link: Pick<TelegramLink, 'api' | 'token'>;
  /** `url`: the public address of the listener. */
  readonly webhook: { readonly url: string; readonly listener: WebhookListener };
  readonly outageTracker: OutageTracker;
  /** Never throws. */
  readonly take: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
}

type ApiSignal = Parameters<TelegramLink['api']['setWebhook']>[2];

/** Receives updates at a webhook until the signal aborts. */
export async function receive({
  link,
  webhook,
  outageTracker,
  take,
  signal,
}: ReceivingOptions): Promise<void> {
  const path = `/telegram/${link.token.split(':')[0]}`;
  const secret = createHmac('sha256', link.token).update('tipoff webhook').digest('hex');
  const setting = { secret_token: secret, allowed_updates: UPDATES };
  const set = () => link.api.setWebhook(webhook.url + path, setting, signal as ApiSignal);
  try {
    await outageTracker.retry(() => webhook.listener.add(path, { secret, take }), signal);
    await outageTracker.retry(set, signal);
    await untilAborted(signal);
  } finally {
    await webhook.listener.remove(path);
  }
}
