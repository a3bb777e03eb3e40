import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';

/** Less than the 15 minutes for which Discord lets a bot remove an answer. */
const SHOWN_MS = 10 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;

interface ExpiringMessage {
  readonly request: string;
  readonly userId: string;
  /** Never throws; false when the message could not be removed. */
  readonly remove: () => Promise<boolean>;
}

/** Messages that show a key. Each is removed after 10 minutes, or earlier when there are more than `max`. */
export class ExpiringMessages {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #max: number;
  readonly #messages = new Map<string, ExpiringMessage & { readonly forgotten: AbortController }>();
  readonly #closing = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  keep(id: string, message: ExpiringMessage): void {
    this.forget(id);
    const forgotten = new AbortController();
    this.#messages.set(id, { ...message, forgotten });
    void this.#expire(id, message, forgotten.signal);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > this.#max && oldest !== undefined) void this.#removeNow(oldest);
  }

  has(id: string): boolean {
    return this.#messages.has(id);
  }

  /** The message that shows the key of this request; null when this process knows none. */
  messageOf(request: string): string | null {
    const [id = null] = [...this.#messages].find(([, message]) => message.request === request) ?? [];
    return id;
  }

  /** Call when the message shows something else, or was removed. */
  forget(id: string): void {
    this.#messages.get(id)?.forgotten.abort();
    this.#messages.delete(id);
  }

  async removeOf(userId: string): Promise<void> {
    const own = [...this.#messages].filter(([, message]) => message.userId === userId);
    await Promise.all(own.map(([id]) => this.#removeNow(id)));
  }

  /** Stops the timers and leaves the messages. Their button still works: the tap identifies a message with a key. */
  close(): void {
    this.#closing.abort();
    for (const id of [...this.#messages.keys()]) this.forget(id);
  }

  async #removeNow(id: string): Promise<void> {
    const message = this.#messages.get(id);
    this.forget(id);
    await message?.remove();
  }

  async #expire(id: string, { remove }: ExpiringMessage, forgotten: AbortSignal): Promise<void> {
    await this.#clock.sleep(SHOWN_MS, forgotten);
    if (forgotten.aborted) return;
    this.forget(id);
    if (await remove()) return;
    await this.#clock.sleep(RETRY_MS, this.#closing.signal);
    if (!this.#closing.signal.aborted) await remove();
  }
}
