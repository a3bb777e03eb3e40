import type { RetryUntilAnswered } from '../async/retry-until-answered.ts';
import { untilAborted } from '../async/until-aborted.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { ChatMessage } from './chat-message.ts';
import type { ChatChange, ChatStore } from './chat-store.ts';
import type { SendResult } from './messenger.ts';
import { outcomeOf } from './send-outcome.ts';

/** A messenger that has not answered by then is not waited for. */
const SEND_TIMEOUT_MS = 60 * SECOND_MS;
/** The stores are away when the words cannot be made. */
const FAULT_RETRY_MS = 5 * SECOND_MS;
/** The most a messenger rests for a failure that names no time. */
const REST_MS = 5 * SECOND_MS;

const SILENCE = { ok: false, reason: 'unknown', retryAfterMs: REST_MS, detail: 'no answer' } as const;

/** What sending stands on. */
export interface SendDeps<View> {
  readonly store: Pick<ChatStore, 'claim' | 'finish'>;
  /** What a message shows now; null when there is nothing to say any more. */
  readonly present: (message: ChatMessage) => Promise<View | null>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** From 0 to 1, by chance. */
  readonly chance: () => number;
  /** A name for one claim that no other ever has; `ownerOf` gives the process. */
  readonly nextClaim: () => string;
  /** What this process sends now. */
  readonly inFlight: Set<string>;
  readonly retryUntilAnswered: RetryUntilAnswered;
  /** Aborts when nothing is waited for any more. */
  readonly end: AbortSignal;
}

/** The process that made a claim. */
export function ownerOf(claim: string): string {
  return claim.slice(0, claim.lastIndexOf('#'));
}

/** One way to send a message. */
export interface Sending<View> {
  readonly message: ChatMessage;
  readonly call: (view: View, signal: AbortSignal) => Promise<SendResult>;
  /** Whether doing it twice is seen by nobody. */
  readonly isRepeatable: boolean;
  /** What becomes of the message for some answers; undefined: as `outcomeOf` says. */
  readonly unless?: (result: SendResult) => Promise<ChatChange | undefined>;
}

/**
 * Claims a message, sends it and writes down what came of it, insisting until `end`. Returns for how many milliseconds
 * the messenger is to be left alone. What the store throws before the claim goes through.
 */
export async function sendClaimed<View>(deps: SendDeps<View>, sending: Sending<View>): Promise<number> {
  const { store, inFlight, clock } = deps;
  const { id } = sending.message;
  if (inFlight.has(id)) return 0;
  inFlight.add(id);
  const owner = deps.nextClaim();
  try {
    if (!(await store.claim(id, { owner, at: clock.now() }))) return 0;
    const { change, restMs } = await attempt(deps, sending);
    if (change.state === 'failed') logFailed(deps, sending.message, change);
    await deps.retryUntilAnswered(() => store.finish(id, owner, change), { signal: deps.end });
    return restMs;
  } finally {
    inFlight.delete(id);
  }
}

async function attempt<View>(
  deps: SendDeps<View>,
  { message, call, isRepeatable, unless }: Sending<View>,
): Promise<{ readonly change: ChatChange; readonly restMs: number }> {
  const { clock, chance } = deps;
  const shown = await presented(deps, message);
  if ('change' in shown) return { change: shown.change, restMs: 0 };
  const result = await bounded(deps, (signal) => call(shown.view, signal));
  const attempted = { message, isRepeatable, now: clock.now(), chance: chance() };
  const change = (await unless?.(result)) ?? outcomeOf(result, attempted);
  return { change, restMs: restAfter(result) };
}

/** Nothing was sent yet: whatever fails here is tried again. */
async function presented<View>(
  { present, clock, logger }: SendDeps<View>,
  message: ChatMessage,
): Promise<{ readonly view: View } | { readonly change: ChatChange }> {
  try {
    const view = await present(message);
    if (view !== null) return { view };
    return { change: { state: 'dropped', error: 'nothing to say', at: clock.now() } };
  } catch (error) {
    logger.warn({ err: error, message: message.id }, 'a message could not be made; trying again');
    const dueAt = clock.now() + FAULT_RETRY_MS;
    return { change: { state: 'pending', dueAt, error: message.error ?? 'fault' } };
  }
}

/** A messenger that throws or does not answer may have sent all the same. */
async function bounded<View>(
  { clock, logger, end }: SendDeps<View>,
  call: (signal: AbortSignal) => Promise<SendResult>,
): Promise<SendResult> {
  const stop = new AbortController();
  const onEnd = () => stop.abort();
  end.addEventListener('abort', onEnd, { once: true });
  void clock.sleep(SEND_TIMEOUT_MS, stop.signal).then(onEnd);
  try {
    const silence = untilAborted(stop.signal).then(() => SILENCE);
    return await Promise.race([call(stop.signal), silence]);
  } catch (error) {
    logger.error({ err: error }, 'a messenger failed');
    return SILENCE;
  } finally {
    end.removeEventListener('abort', onEnd);
    stop.abort();
  }
}

function restAfter(result: SendResult): number {
  if (result.ok || (result.reason !== 'later' && result.reason !== 'unknown')) return 0;
  return result.retryAfterMs > 0 ? result.retryAfterMs : REST_MS;
}

function logFailed({ logger }: SendDeps<unknown>, { id }: ChatMessage, { error }: { error: string | null }) {
  logger.warn({ message: id, reason: error }, 'a message was given up');
}
