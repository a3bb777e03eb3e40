import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import { isNotThere, logged } from './errors.ts';

/** Messages with a secret, which remove themselves. */
export interface ExpiringMessages {
  /** `request` names the tap that gave the secret. */
  keep(chat: number, message: number, request: string): void;
  /** Whether a message of this request is there, as far as this process knows: a person may have deleted it. */
  isShown(request: string): boolean;
  /** Removes it now. Never throws. */
  removeNow(chat: number, message: number): Promise<void>;
  /**
   * Ends the timers; nothing is removed. A message that is still there then can be removed with its button: the tap
   * shows that it has a secret, whichever process sent it.
   */
  close(): void;
}

export interface ExpiringMessagesDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly remove: (chat: number, message: number) => Promise<unknown>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const AFTER_MS = 600_000;
const AGAIN_MS = 60_000;
/** With more than this, the oldest goes early. */
const MOST = 10_000;

export function createExpiringMessages({ clock, remove, logger }: ExpiringMessagesDeps): ExpiringMessages {
  const waiting = new Map<string, { readonly request: string; readonly early: AbortController }>();
  const closing = new AbortController();

  async function tryRemove(chat: number, message: number): Promise<boolean> {
    try {
      await remove(chat, message);
      return true;
    } catch (error) {
      if (isNotThere(error)) return true;
      logger.warn({ chat, message, ...logged(error) }, 'a message with a key could not be removed');
      return false;
    }
  }

  async function removeLater(chat: number, message: number, early: AbortSignal): Promise<void> {
    await clock.sleep(AFTER_MS, early);
    if (closing.signal.aborted || early.aborted) return;
    waiting.delete(`${chat}:${message}`);
    if (await tryRemove(chat, message)) return;
    await clock.sleep(AGAIN_MS, closing.signal);
    if (!closing.signal.aborted) await tryRemove(chat, message);
  }

  async function removeNow(chat: number, message: number): Promise<void> {
    const place = `${chat}:${message}`;
    waiting.get(place)?.early.abort();
    waiting.delete(place);
    await tryRemove(chat, message);
  }

  return {
    keep(chat, message, request) {
      const early = new AbortController();
      const [oldest] = waiting.size >= MOST ? waiting.keys() : [];
      waiting.set(`${chat}:${message}`, { request, early });
      void removeLater(chat, message, early.signal);
      if (oldest !== undefined) {
        const [oldChat, oldMessage] = oldest.split(':').map(Number);
        void removeNow(oldChat ?? 0, oldMessage ?? 0);
      }
    },
    isShown: (asked) => [...waiting.values()].some(({ request }) => request === asked),
    removeNow,
    close() {
      closing.abort();
      if (waiting.size > 0)
        logger.info({ messages: waiting.size }, 'messages with a key stay until their button is tapped');
      for (const { early } of waiting.values()) early.abort();
      waiting.clear();
    },
  };
}
