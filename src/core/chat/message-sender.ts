import { untilAborted } from '../base/async/repeat.ts';
import { backoffMs, createRetryUntilAnswered, type RetryUntilAnswered } from '../base/async/retry.ts';
import { withTimeout } from '../base/async/with-timeout.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import { type ChatMessage, isChannel } from './chat-message.ts';
import { type ChatChange, type ChatStore, MESSAGE_DROP_REASONS } from './chat-store.ts';
import type { Messenger, SendResult } from './messenger.ts';

const SEND_TIMEOUT_MS = 60 * SECOND_MS;
/** Pause before a message whose text could not be produced is tried again. */
const PRESENT_RETRY_MS = 5 * SECOND_MS;
/** Pause of the queue after a failure that names no time. */
const PAUSE_MS = 5 * SECOND_MS;

const OUTCOME_UNKNOWN = 'outcome of a chat message unknown; not sent again.';

/** If an alert to a person may or may not have been sent, that does not concern the operator. */
function unknownWarning({ kind }: ChatMessage): string {
  const where = kind === 'personal_alert' ? 'The next list of the person' : 'The operator command outbox';
  return `${OUTCOME_UNKNOWN} ${where} names it`;
}

const NO_ANSWER = { ok: false, reason: 'unknown', retryAfterMs: PAUSE_MS, detail: 'no answer' } as const;

/** Dependencies of a `MessageSender`. */
export interface MessageSenderOptions<View> {
  readonly store: Pick<ChatStore, 'claim' | 'finish'>;
  /** What a message shows now; null when there is nothing left to send. */
  readonly present: (message: ChatMessage) => Promise<View | null>;
  /** Unique id of this sender among all that ever ran. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** For the jitter of retries, 0 to 1. */
  readonly random: () => number;
}

interface Sending<View> {
  readonly message: ChatMessage;
  readonly messenger: Pick<Messenger<View>, 'deduplicatesForMs'>;
  readonly call: (view: View, signal: AbortSignal) => Promise<SendResult>;
  /** Whether the call has the same effect when it is made twice, as an edit has. Default false. */
  readonly isRepeatable?: boolean;
  /** Stored as the error of a retry instead of the platform's. */
  readonly retryError?: string;
  /** Overrides the outcome for some answers; undefined: as `outcomeOf` says. */
  readonly override?: (result: SendResult) => Promise<ChatChange | undefined>;
}

/** What a step did with a message. */
export interface SendStepResult {
  /** False: the message waits, or is for another queue. */
  readonly isOurs: boolean;
  /** Milliseconds for which the queue pauses; 0: none. */
  readonly pauseMs: number;
  /** Milliseconds for which the person gets nothing more; absent: none. */
  readonly restMs?: number;
}

type Pauses = Omit<SendStepResult, 'isOurs'>;

/** The message was handled; the queue continues. */
export const DONE: SendStepResult = { isOurs: true, pauseMs: 0 };

/** The sender that made a claim. */
export function ownerOf(claim: string): string {
  return claim.slice(0, claim.lastIndexOf('#'));
}

/** Claims messages, sends them and records the outcome. */
export class MessageSender<View> {
  readonly #options: MessageSenderOptions<View>;
  readonly #retryUntilAnswered: RetryUntilAnswered;
  readonly #inFlight = new Set<string>();
  readonly #end = new AbortController();
  #claims = 0;

  constructor(options: MessageSenderOptions<View>) {
    this.#options = options;
    this.#retryUntilAnswered = createRetryUntilAnswered(options.clock, options.logger);
  }

  /** Ids of the messages that this process sends now. */
  get inFlight(): ReadonlySet<string> {
    return this.#inFlight;
  }

  /** Stops waiting for messengers, and ends the retries of writes. */
  abort(): void {
    this.#end.abort();
  }

  /** Claims, sends and records, with retries until `abort`. Throws what the store throws before the claim. */
  async send(sending: Sending<View>): Promise<SendStepResult> {
    const { store, owner: sender, clock, logger } = this.#options;
    const { id } = sending.message;
    if (this.#inFlight.has(id)) return DONE;
    this.#inFlight.add(id);
    this.#claims += 1;
    // Unique for each claim: the answer to an earlier claim of this sender may be lost.
    const owner = `${sender}#${this.#claims}`;
    try {
      if (!(await store.claim(id, { owner, at: clock.now() }))) return DONE;
      const { change, ...pauses } = await this.#attempt(sending);
      const fields = { message: id, reason: 'error' in change ? change.error : null };
      if (change.state === 'failed') logger.warn(fields, 'chat message failed; not sent again');
      if (change.state === 'unknown') logger.warn(fields, unknownWarning(sending.message));
      await this.#retryUntilAnswered(() => store.finish(id, owner, change), {
        signal: this.#end.signal,
      });
      return { isOurs: true, ...pauses };
    } finally {
      this.#inFlight.delete(id);
    }
  }

  async #attempt(sending: Sending<View>): Promise<Pauses & { readonly change: ChatChange }> {
    const { call, override } = sending;
    const { clock, random } = this.#options;
    const startedAt = clock.now();
    const { message } = sending;
    if (message.unsureSince !== null && !isRecognised(sending, message.unsureSince, startedAt))
      return { change: unknownOutcome(message, message.unsureSince, startedAt), pauseMs: 0 };
    const presented = await this.#presented(message);
    if ('change' in presented) return { change: presented.change, pauseMs: 0 };
    const result = await this.#answerOf((signal) => call(presented.view, signal));
    // What may have been sent is in one place at most, so it goes to no other.
    const overriding = message.unsureSince === null ? await override?.(result) : undefined;
    const change = overriding ?? outcomeOf(result, { sending, startedAt, now: clock.now(), random });
    return { change, ...pausesAfter(result, message) };
  }

  /** Nothing is sent before it: any failure here is retried. */
  async #presented(message: ChatMessage): Promise<{ readonly view: View } | { readonly change: ChatChange }> {
    try {
      const view = await this.#options.present(message);
      if (view !== null) return { view };
      const now = this.#options.clock.now();
      if (message.unsureSince !== null) return { change: unknownOutcome(message, message.unsureSince, now) };
      return { change: { state: 'dropped', error: MESSAGE_DROP_REASONS.nothingToSay, at: now } };
    } catch (error) {
      this.#options.logger.warn(
        { err: error, message: message.id },
        'text of a chat message unavailable; retrying',
      );
      const dueAt = this.#options.clock.now() + PRESENT_RETRY_MS;
      return { change: { state: 'pending', dueAt, error: message.error ?? 'fault' } };
    }
  }

  /** A messenger that throws or does not answer may still have sent the message. */
  async #answerOf(call: (signal: AbortSignal) => Promise<SendResult>): Promise<SendResult> {
    const { clock, logger } = this.#options;
    try {
      return await withTimeout({ clock, timeoutMs: SEND_TIMEOUT_MS, signal: this.#end.signal }, (signal) =>
        Promise.race([call(signal), untilAborted(signal).then(() => NO_ANSWER)]),
      );
    } catch (error) {
      logger.error({ err: error }, 'sending of a chat message failed; its outcome is unknown');
      return NO_ANSWER;
    }
  }
}

/** A wait in one person's chat does not delay messages to others; a channel's queue has only one chat. */
function pausesAfter(result: SendResult, { recipient }: ChatMessage): Pauses {
  if (result.ok || (result.reason !== 'later' && result.reason !== 'unknown')) return { pauseMs: 0 };
  const waitMs = result.retryAfterMs > 0 ? result.retryAfterMs : PAUSE_MS;
  if (result.isChatOnly === true && !isChannel(recipient)) return { pauseMs: 0, restMs: waitMs };
  return { pauseMs: waitMs };
}

const ERROR_LENGTH = 200;

interface SendAttempt {
  readonly sending: Sending<never>;
  readonly startedAt: EpochMs;
  readonly now: EpochMs;
  /** For the jitter of the retry, 0 to 1. */
  readonly random: () => number;
}

/** The state after an attempt: what may have arrived is sent again only while its platform recognises it. */
function outcomeOf(result: SendResult, { sending, startedAt, now, random }: SendAttempt): ChatChange {
  if (result.ok) return { state: 'sent', place: result.place, at: now };
  const { message, isRepeatable = false, retryError } = sending;
  const unsureSince =
    message.unsureSince ?? (result.reason === 'unknown' && !isRepeatable ? startedAt : null);
  const error = `${result.reason}: ${result.detail}`.slice(0, ERROR_LENGTH);
  const isRetried = result.reason === 'later' || result.reason === 'unknown';
  if (unsureSince !== null && !(isRetried && isRecognised(sending, unsureSince, now)))
    return unknownOutcome({ error }, unsureSince, now);
  if (!isRetried) return { state: 'failed', error, at: now };
  const waitMs = messageRetryMs({ attempts: message.attempts, askedMs: result.retryAfterMs, random });
  const retry = { state: 'pending', dueAt: now + waitMs, error: retryError ?? error } as const;
  return unsureSince === null ? retry : { ...retry, unsureSince };
}

/** Whether the platform recognises a message that may have been sent, or the call may be repeated in any case. */
function isRecognised(
  { isRepeatable = false, messenger: { deduplicatesForMs = 0 } }: Sending<never>,
  unsureSince: EpochMs,
  now: EpochMs,
): boolean {
  return isRepeatable || now - unsureSince < deduplicatesForMs;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };

/** Milliseconds before the next attempt: what the platform asks for, and at least a backoff from 1 s to 5 minutes with jitter. */
export function messageRetryMs(retry: {
  /** Attempts before the last one. */
  readonly attempts: number;
  readonly askedMs: number;
  readonly random: () => number;
}): number {
  return Math.max(retry.askedMs, Math.round(backoffMs(BACKOFF, retry.attempts + 1, retry.random)));
}

/** The end of a message that may have been sent. */
export function unknownOutcome(
  { error }: Pick<ChatMessage, 'error'>,
  unsureSince: EpochMs,
  now: EpochMs,
): ChatChange & { readonly state: 'unknown' } {
  return { state: 'unknown', error: error ?? 'no answer', at: now, unsureSince };
}
