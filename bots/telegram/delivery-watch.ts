import type { Api } from 'grammy';
import type { WebhookInfo } from 'grammy/types';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { UndeliveredError } from './outage-tracker.ts';
import type { ApiSignal } from './telegram-link.ts';

interface DeliveryWatchOptions {
  readonly api: Pick<Api, 'getWebhookInfo'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Registers the webhook again. */
  readonly set: () => Promise<unknown>;
  readonly lookMs: number;
  readonly signal: AbortSignal;
}

/** Whether Telegram delivers the updates of a bot to its webhook. */
export class DeliveryWatch {
  readonly #options: DeliveryWatchOptions;
  #deliveredAt: EpochMs = 0;

  constructor(options: DeliveryWatchOptions) {
    this.#options = options;
  }

  /** Call when an update arrived, and when the webhook was registered: earlier errors are over. */
  delivered(): void {
    this.#deliveredAt = this.#options.clock.now();
  }

  /**
   * Asks Telegram once. Throws what the call throws, and `UndeliveredError` while updates wait and the newest attempt to
   * deliver one failed: Telegram keeps the last error after later deliveries (core.telegram.org/bots/api#webhookinfo).
   */
  async look(): Promise<void> {
    const { api, set, lookMs, signal } = this.#options;
    const info = await api.getWebhookInfo(signal as ApiSignal);
    // Another program removed it, for example to poll.
    if (info.url === '') await set();
    const { pending_update_count: waiting, last_error_message: reason = 'no reason given' } = info;
    if (waiting > 0 && failedAt(info) > this.#deliveredAt)
      throw new UndeliveredError(`updates that wait at Telegram: ${waiting}; ${reason}`, lookMs);
  }
}

function failedAt({ last_error_date: seconds = 0 }: WebhookInfo): EpochMs {
  return seconds * SECOND_MS;
}
