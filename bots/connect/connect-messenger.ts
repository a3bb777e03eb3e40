import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Messenger, SendFailure, SendResult } from '../../src/core/chat/messenger.ts';
import { DAILY_LIMITS } from '../../src/core/follow/day-of-person.ts';
import type { DestinationAnswer, DestinationClient } from '../../src/core/follow/destination.ts';
import type { DestinationService } from '../../src/core/follow/destination-service.ts';
import type { Destination } from '../../src/core/follow/follower.ts';
import type { Screen } from '../shared/screen.ts';
import { DestinationPace } from './destination-pace.ts';
import { editRequest, messageIdIn, sendRequest } from './destination-requests.ts';

/** Messages to one person that come within this time go as one. */
const GATHER_MS = 100;
/** A longer wait for the pace of a service ends as `later`: less than a stop of the outbox waits for what is being sent. */
const LONGEST_WAIT_MS = 3 * SECOND_MS;

interface ConnectMessengerOptions {
  readonly client: DestinationClient;
  readonly destinations: Pick<DestinationService, 'current' | 'end'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Waiting {
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly settle: (result: SendResult) => void;
}

/**
 * Sends the messages of people to their own addresses at Discord, Slack or ntfy. A chat is a customer; a reference to a
 * message is `customer:connected at:Discord's id`. Messages that are due together go as one, as many as fit.
 */
export class ConnectMessenger implements Messenger<Screen> {
  readonly together = DAILY_LIMITS.all;
  readonly #options: ConnectMessengerOptions;
  readonly #pace: DestinationPace;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(options: ConnectMessengerOptions) {
    this.#options = options;
    this.#pace = new DestinationPace(options.clock);
  }

  send(to: { readonly chat: string } | 'channel', view: Screen, signal: AbortSignal): Promise<SendResult> {
    if (to === 'channel') return Promise.resolve(failed('gone', 'no channel'));
    return new Promise((settle) => {
      const waiting = this.#waiting.get(to.chat);
      const message = { screen: view, signal, settle };
      if (waiting !== undefined) {
        waiting.push(message);
        return;
      }
      this.#waiting.set(to.chat, [message]);
      void this.#sendAll(to.chat);
    });
  }

  /** None of the services has replies to a message of a webhook: it is a message of its own. */
  reply(messageRef: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    return this.send({ chat: parsed(messageRef).customerId }, view, signal);
  }

  async edit(messageRef: string, view: Screen): Promise<SendResult> {
    const { customerId, connectedAt, messageId } = parsed(messageRef);
    const { client, destinations } = this.#options;
    if (messageId === '') return failed('gone', 'a message that cannot be changed');
    const destination = await destinations.current(customerId);
    if (destination?.createdAt !== connectedAt) return failed('gone', 'the address was replaced');
    const waitMs = this.#pace.waitMs(destination);
    if (waitMs > 0) return later(waitMs, 'the pace of the service');
    this.#pace.count(destination);
    const answer = await client.send(editRequest(destination, messageId, view));
    const failure = this.#failureOf(answer, destination);
    if (failure === null) return { ok: true, place: messageRef };
    return isRefusedForGood(answer) ? failed('gone', failure.detail) : failure;
  }

  async remove(): Promise<SendResult> {
    return failed('refused', 'a message that cannot be removed');
  }

  /** Sends what waits for a person, and what comes meanwhile. Never throws. */
  async #sendAll(customerId: string): Promise<void> {
    const { clock, logger } = this.#options;
    const waiting = this.#waiting.get(customerId) ?? [];
    await clock.sleep(GATHER_MS);
    try {
      while (waiting.length > 0) await this.#sendSome(customerId, waiting);
    } catch (error) {
      logger.warn({ err: error }, 'address of a person unavailable; their messages are retried');
      settleAll(waiting, later(0, 'the address is unavailable'));
    } finally {
      this.#waiting.delete(customerId);
    }
  }

  /** One request, with as many of the messages as fit, or a wait. Throws only before the request. */
  async #sendSome(customerId: string, waiting: Waiting[]): Promise<void> {
    const destination = await this.#options.destinations.current(customerId);
    if (destination === null) return settleAll(waiting, failed('blocked', 'no address is connected'));
    const waitMs = this.#pace.waitMs(destination);
    if (waitMs > LONGEST_WAIT_MS) return settleAll(waiting, later(waitMs, 'the pace of the service'));
    // Others may take that moment: it is looked at again.
    if (waitMs > 0) return this.#options.clock.sleep(waitMs);
    const isEnded = ({ signal }: Waiting) => signal.aborted;
    settleAll(takeOut(waiting, isEnded), later(0, 'stopped before it was sent'));
    if (waiting.length === 0) return;
    const { request, screens } = sendRequest(
      destination,
      waiting.map(({ screen }) => screen),
    );
    const sent = waiting.splice(0, screens);
    this.#pace.count(destination);
    const answer = await this.#options.client.send(request);
    const failure = this.#failureOf(answer, destination);
    if (isRefusedForGood(answer)) await this.#end(customerId, destination, answer.status);
    const messageId = sent.length === 1 && 'text' in answer ? messageIdIn(destination, answer.text) : null;
    const place = `${customerId}:${destination.createdAt}:${messageId ?? ''}`;
    settleAll(sent, failure ?? { ok: true, place });
  }

  async #end(customerId: string, destination: Destination, status: number): Promise<void> {
    await this.#options.destinations.end(customerId, destination, status).catch((error: unknown) => {
      this.#options.logger.warn(
        { err: error, status },
        'address of a person not ended; retrying with the next message',
      );
    });
  }

  /** Null for any 2xx. */
  #failureOf(answer: DestinationAnswer, destination: Destination): SendFailure | null {
    if ('error' in answer) {
      if (answer.error === 'not_public') return failed('refused', answer.error);
      return answer.isSent ? { ...later(0, answer.error), reason: 'unknown' } : later(0, answer.error);
    }
    const { status, retryAfterMs } = answer;
    const detail = `status ${status}`;
    if (status >= 200 && status < 300) return null;
    if (isRefusedForGood(answer)) return failed('blocked', detail);
    if (status === 429 || status === 503) {
      if (retryAfterMs !== null) this.#pace.rest(destination, retryAfterMs);
      return later(retryAfterMs ?? 0, detail);
    }
    // A gateway that gives up does not know what became of the request.
    return status >= 500 ? { ...later(0, detail), reason: 'unknown' } : failed('refused', detail);
  }
}

/**
 * The webhook or topic was deleted, or forbids it: Discord's 404 and 401, Slack's 403 `action_prohibited`, 404
 * `channel_not_found` and 410 `channel_is_archived` (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), ntfy's 401 and 403.
 */
export function isRefusedForGood(
  answer: DestinationAnswer,
): answer is Extract<DestinationAnswer, { status: number }> {
  return 'status' in answer && [401, 403, 404, 410].includes(answer.status);
}

function settleAll(waiting: Waiting[], result: SendResult): void {
  for (const { settle } of waiting.splice(0)) settle(result);
}

function takeOut<Item>(items: Item[], isTaken: (item: Item) => boolean): Item[] {
  const taken = items.filter(isTaken);
  for (const item of taken) items.splice(items.indexOf(item), 1);
  return taken;
}

function failed(reason: 'blocked' | 'gone' | 'refused', detail: string): SendFailure {
  return { ok: false, reason, detail };
}

/** Messages to other people do not wait. */
function later(retryAfterMs: number, detail: string) {
  return { ok: false, reason: 'later', retryAfterMs, isChatOnly: true, detail } as const;
}

function parsed(messageRef: string) {
  const [customerId = '', connectedAt, messageId = ''] = messageRef.split(':');
  return { customerId, connectedAt: Number(connectedAt), messageId };
}
