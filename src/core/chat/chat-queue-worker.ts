import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { ChatQueue } from './chat-queue.ts';
import type { ChatPageCursor, ChatStore } from './chat-store.ts';
import type { SendStep } from './send-step.ts';

const POLL_MS = SECOND_MS;
const PAGE = 100;

/** Dependencies of a queue worker. */
export interface ChatQueueWorkerDeps {
  readonly store: Pick<ChatStore, 'due'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Lets everything else have its turn: a store that answers at once would keep it waiting. */
  readonly yieldToLoop: () => Promise<void>;
}

/** The messages of one queue, one after the other, by one messenger. */
export interface ChatQueueWorker {
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Something may be due now. A messenger that rests is not disturbed. */
  wake(): void;
  /** Until when the messenger rests; null when it does not. */
  pausedUntil(): EpochMs | null;
}

/**
 * Looks every second, and when it is woken; what is not its own it passes by, a page a second. It goes on behind a
 * message whose turn failed, which has its next turn with the next walk.
 */
export function createChatQueueWorker(
  deps: ChatQueueWorkerDeps,
  name: ChatQueue,
  take: SendStep,
): ChatQueueWorker {
  const { store, clock, logger } = deps;
  let waking = new AbortController();
  let place: ChatPageCursor | undefined;
  let restsUntil: EpochMs | null = null;

  /** One page. Returns how long to wait for the next. */
  async function round(signal: AbortSignal): Promise<{ restMs: number; waitMs: number }> {
    const query = { lane: name, now: clock.now(), limit: PAGE };
    const page = await store.due(place === undefined ? query : { ...query, after: place });
    let isOurs = false;
    for (const message of page) {
      if (signal.aborted) break;
      place = message;
      const end = await take(message);
      isOurs ||= end.isOurs;
      if (end.restMs > 0) return { restMs: end.restMs, waitMs: 0 };
    }
    const isEnd = page.length < PAGE;
    if (isEnd) place = undefined;
    return { restMs: 0, waitMs: isEnd || !isOurs ? POLL_MS : 0 };
  }

  async function pause({ restMs, waitMs }: { restMs: number; waitMs: number }, signal: AbortSignal) {
    if (restMs > 0) {
      restsUntil = clock.now() + restMs;
      await clock.sleep(restMs, signal);
      restsUntil = null;
    } else if (waitMs > 0) await clock.sleep(waitMs, waking.signal);
    else await deps.yieldToLoop();
  }

  return {
    async run(signal) {
      let isFailing = false;
      signal.addEventListener('abort', () => waking.abort(), { once: true });
      while (!signal.aborted) {
        waking = new AbortController();
        try {
          const next = await round(signal);
          isFailing = false;
          await pause(next, signal);
        } catch (error) {
          if (!isFailing)
            logger.warn({ err: error, lane: name }, 'messages cannot be looked for; trying again');
          isFailing = true;
          await clock.sleep(POLL_MS, signal);
        }
      }
    },
    wake: () => waking.abort(),
    pausedUntil: () => restsUntil,
  };
}
