import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';
import type { ChatMessage, PersonalQueue, Recipient } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import type { PersonalSender } from './personal-sender.ts';

/** At 100 ms per call, enough for more than the 27 messages per second that Telegram gets. */
const PEOPLE_AT_ONCE = 8;
const PAGE = 100;

/** The people on a platform who are being sent something or must wait, so that one person's messages stay in order. */
export class BusyPeople {
  readonly #freeAt = new Map<Recipient, EpochMs>();

  /** False while a message to the person is in flight, or they must wait. */
  take(recipient: Recipient, now: EpochMs): boolean {
    if ((this.#freeAt.get(recipient) ?? 0) > now) return false;
    this.#freeAt.set(recipient, Number.POSITIVE_INFINITY);
    return true;
  }

  release(recipient: Recipient, freeAt: EpochMs): void {
    this.#freeAt.set(recipient, freeAt);
  }

  /** Forgets those who need not wait. */
  prune(now: EpochMs): void {
    for (const [recipient, freeAt] of this.#freeAt) if (freeAt <= now) this.#freeAt.delete(recipient);
  }
}

/** Dependencies of a `PersonalLoop`. */
export interface PersonalLoopOptions {
  readonly lane: PersonalQueue;
  readonly sender: Pick<PersonalSender<never>, 'serve'>;
  /** Shared by the queues of a platform. */
  readonly people: BusyPeople;
  /** Default: a second. */
  readonly intervalMs?: number | undefined;
  readonly isPaused: () => boolean;
  readonly store: Pick<ChatStore, 'due'>;
  readonly wake?: (() => Promise<void>) | undefined;
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sends what is due in one queue to several people at once, so that the wait of one delays no other. */
export class PersonalLoop {
  readonly #options: PersonalLoopOptions;
  readonly #failures: FailureLog;
  readonly #serving = new Set<Promise<void>>();
  #pausedUntil: EpochMs = 0;

  constructor(options: PersonalLoopOptions) {
    this.#options = options;
    const { lane, logger } = options;
    const warn = (fields: object, message: string) => logger.warn({ ...fields, lane }, message);
    this.#failures = new FailureLog({ warn }, 'personal messages unavailable; retrying every second');
  }

  /** Runs until the signal aborts and what is under way has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, wake, intervalMs = SECOND_MS } = this.#options;
    const failures = this.#failures;
    const timing = { clock, signal, intervalMs, ...(wake && { wake }) };
    await repeat(() => this.#pass(signal), { ...timing, failures });
    await Promise.all(this.#serving);
  }

  /** Starts with everyone who has something due, and skips those who must wait. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { isPaused, store, lane, people, clock, yieldToLoop } = this.#options;
    if (isPaused()) return;
    people.prune(clock.now());
    let after: ChatMessage | undefined;
    while (!signal.aborted) {
      const page = await store.due({ lane, now: clock.now(), limit: PAGE, after });
      for (const recipient of new Set(page.map((message) => message.recipient))) {
        if (!(await this.#isOpen(signal))) return;
        if (people.take(recipient, clock.now())) this.#begin(recipient);
      }
      after = page.at(-1);
      if (page.length < PAGE) return;
      await yieldToLoop();
    }
  }

  /** Waits until one more person can be served. False when the pass is to end: the queue had to pause. */
  async #isOpen(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    while (this.#serving.size >= PEOPLE_AT_ONCE && !signal.aborted) await Promise.race(this.#serving);
    const pauseMs = this.#pausedUntil - clock.now();
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    return pauseMs <= 0 && !signal.aborted;
  }

  #begin(recipient: Recipient): void {
    const { sender, people, clock, yieldToLoop } = this.#options;
    const serve = async () => {
      await yieldToLoop();
      const step = await this.#failures.guard(() => sender.serve(recipient));
      const now = clock.now();
      if (step !== null && step.pauseMs > 0) this.#pausedUntil = now + step.pauseMs;
      people.release(recipient, now + (step?.restMs ?? 0));
    };
    const serving = serve().finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }
}
