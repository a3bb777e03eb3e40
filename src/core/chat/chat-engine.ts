import { PLATFORMS, type Platform } from '../accounts/customers/customer.ts';
import { FailureLog } from '../base/async/failure-log.ts';
import { Notifier, repeat } from '../base/async/repeat.ts';
import { endsWithin } from '../base/async/with-timeout.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import { CANNOT_EDIT, ChannelSendStep, type ChannelSendStepOptions } from './channel-send-step.ts';
import {
  CHANNELS,
  type Channel,
  type ChatMessage,
  type ChatQueue,
  channelOf,
  isPersonal,
} from './chat-message.ts';
import type { ChatChange, ChatClaim, ChatStore } from './chat-store.ts';
import { MessageSender, type MessageSenderOptions, ownerOf, unknownOutcome } from './message-sender.ts';
import type { PersonalChoice } from './personal-choice.ts';
import { BusyPeople, PersonalLoop } from './personal-loop.ts';
import { PersonalSender } from './personal-sender.ts';
import { createPrivateSendStep, type PrivateSendStepOptions, type SendStep } from './send-step.ts';

/** On shutdown, messages being sent have this long; then they are aborted. */
const LAST_SENDS_MS = 4 * SECOND_MS;
const LAST_WRITES_MS = 500;
const POLL_MS = SECOND_MS;
const PAGE = 100;
const CLAIMS_INTERVAL_MS = 10 * SECOND_MS;
/** How often to check messages for a platform that this process sends nothing to. */
const UNSENT_EVERY_MS = 10 * MINUTE_MS;
/** After this a worker that lost its lease, or a terminal, no longer sends what it claimed. Platforms recognise repetitions for longer. */
const CLAIM_TIMEOUT_MS = 30 * SECOND_MS;
const DIED = 'the answer was not recorded';

/** Dependencies of a `ChatEngine`. `View` is what the messengers show. */
export interface ChatEngineOptions<View>
  extends MessageSenderOptions<View>,
    PrivateSendStepOptions<View>,
    ChannelSendStepOptions {
  readonly store: ChatStore;
  /** Decides on messages about people's follows; none are sent without it. Those to a platform without a messenger are listed once they are too late. */
  readonly choice?: PersonalChoice;
  /** Lets other work run between two pages, as a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

interface QueueSteps {
  readonly lane: ChatQueue;
  readonly take: SendStep;
}

/**
 * Sends the messages of the outbox, in the one process that works. Each is sent at most once: one that may have
 * been sent is sent again only while its platform recognises it, and otherwise ends as `unknown`. Each platform has queues for
 * its channel, for people, and for what they follow, so that none delays another.
 */
export class ChatEngine<View> {
  readonly #options: ChatEngineOptions<View>;
  readonly #sender: MessageSender<View>;
  readonly #wake = new Notifier();
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ChatEngineOptions<View>) {
    this.#options = options;
    this.#sender = new MessageSender(options);
  }

  start(): void {
    const { signal } = this.#stop;
    const queues = CHANNELS.flatMap((platform) => this.#queuesOf(platform));
    const sending = queues.map((queue) => this.#sendDue(queue, signal));
    const personal = PLATFORMS.flatMap((platform) => this.#personalLoops(platform)).map((loop) =>
      loop.run(signal),
    );
    this.#running = Promise.all([...sending, ...personal, this.#recoverClaims(signal)]);
  }

  /** Call when a message was added that is due. Does not end the pause of a queue. */
  readonly wake = (): void => this.#wake.notify();

  /** Lets messages that are being sent end, within 5 seconds; the others stay in the outbox. */
  async close(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#stop.abort();
    await endsWithin({ clock, timeoutMs: LAST_SENDS_MS }, this.#running);
    this.#sender.abort();
    await endsWithin({ clock, timeoutMs: LAST_WRITES_MS }, this.#running);
    const { size } = this.#sender.inFlight;
    if (size > 0) logger.warn({ messages: size }, 'outcome of chat messages unknown at the end');
  }

  #queuesOf(platform: Channel): readonly QueueSteps[] {
    const { messengers } = this.#options;
    const toPeople = createPrivateSendStep(platform, this.#sender, this.#options);
    const people = { lane: 'private', take: toPeople } as const;
    const messenger = messengers[platform];
    if (messenger === undefined) return messengers[`${platform}_admin`] === undefined ? [] : [people];
    const { take } = new ChannelSendStep({ channel: platform, messenger }, this.#sender, this.#options);
    return [{ lane: `channel:${platform}`, take }, people];
  }

  #personalLoops(platform: Platform): readonly PersonalLoop[] {
    const options = this.#options;
    const { choice } = options;
    if (choice === undefined) return [];
    const messenger = options.messengers[platform] ?? null;
    const people = new BusyPeople();
    // Where nothing is sent, messages that became too late are listed, so that they do not stay in the outbox forever.
    const timing =
      messenger === null ? { intervalMs: UNSENT_EVERY_MS } : { wake: this.#wake.nextNotification };
    return (['first', 'later'] as const).map((rank) => {
      const lane = `personal:${platform}:${rank}` as const;
      const ranked = messenger?.ranked?.(rank) ?? messenger;
      const sender = new PersonalSender({
        store: options.store,
        customers: options.customers,
        clock: options.clock,
        lane,
        choice,
        messenger: ranked,
        sender: this.#sender,
      });
      const isPaused = () => options.isPaused('personal');
      return new PersonalLoop({ ...options, ...timing, isPaused, lane, sender, people });
    });
  }

  /** Sends what is due, one message after another, every second and when woken; a failed step is skipped. */
  async #sendDue({ lane, take }: QueueSteps, signal: AbortSignal): Promise<void> {
    const { store, clock, logger, yieldToLoop } = this.#options;
    let after: ChatMessage | undefined;

    /** Returns whether the next page follows immediately: not after the last one, nor after one of messages that wait. */
    async function sendPage(): Promise<boolean> {
      const page = await store.due({ lane, now: clock.now(), limit: PAGE, after });
      let isOurs = false;
      for (const message of page) {
        if (signal.aborted) return false;
        after = message;
        const step = await take(message);
        isOurs ||= step.isOurs;
        if (step.pauseMs === 0) continue;
        await clock.sleep(step.pauseMs, signal);
        return !signal.aborted;
      }
      if (page.length === PAGE) return isOurs;
      after = undefined;
      return false;
    }

    const pass = async () => {
      while (await sendPage()) await yieldToLoop();
    };
    const warn = (fields: object, message: string) => logger.warn({ ...fields, lane }, message);
    const failures = new FailureLog({ warn }, 'chat messages unavailable; retrying every second');
    const wake = this.#wake.nextNotification;
    await repeat(pass, { clock, signal, intervalMs: POLL_MS, failures, wake });
  }

  /** Ends lost claims: edits are due again; other messages may have been sent. */
  async #recoverClaims(signal: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'claims of chat messages unavailable; retrying in 10 s');
    const recover = async () => {
      for (const claim of await store.claims()) if (this.#isLost(claim)) await this.#end(claim);
    };
    await repeat(recover, { clock, signal, intervalMs: CLAIMS_INTERVAL_MS, failures });
  }

  #isLost({ owner, at, message }: ChatClaim): boolean {
    if (ownerOf(owner) === this.#options.owner) return !this.#sender.inFlight.has(message.id);
    return this.#options.clock.now() - at > CLAIM_TIMEOUT_MS;
  }

  async #end(claim: ChatClaim): Promise<void> {
    const { store, clock, logger, owner } = this.#options;
    const { id } = claim.message;
    // A claim of this engine that is not in flight: its answer was lost, and nothing was sent.
    const change =
      ownerOf(claim.owner) === owner
        ? dueAgain(claim, clock.now())
        : afterDeath(claim, clock.now(), this.#deduplicatesForMs(claim.message));
    if (await store.finish(id, claim.owner, change))
      logger.warn(
        { message: id, owner: claim.owner, state: change.state },
        'lost claim of a chat message ended',
      );
  }

  /** That of the message's platform; the longest for a private message, whose platform is known only when it is sent again. */
  #deduplicatesForMs(message: ChatMessage): number {
    const { messengers } = this.#options;
    const name = isPersonal(message) ? message.facts.platform : channelOf(message);
    if (name !== undefined) return messengers[name]?.deduplicatesForMs ?? 0;
    const all = Object.values(messengers);
    return Math.max(0, ...all.map(({ deduplicatesForMs = 0 }) => deduplicatesForMs));
  }
}

const EDITS: ReadonlySet<ChatMessage['kind']> = new Set(['alert_update', 'alert_result', 'personal_mark']);

/** An edit may be repeated; another message may have been sent, and is sent again only while the platform recognises it. */
function afterDeath(claim: ChatClaim, now: number, deduplicatesForMs: number): ChatChange {
  const { kind, error } = claim.message;
  const isEdit = EDITS.has(kind) && error !== CANNOT_EDIT;
  if (isEdit) return dueAgain(claim, now);
  const unsureSince = claim.message.unsureSince ?? claim.at;
  if (now - unsureSince < deduplicatesForMs) return { ...dueAgain(claim, now), unsureSince };
  return unknownOutcome({ error: DIED }, unsureSince, now);
}

function dueAgain({ message }: ChatClaim, now: number): ChatChange & { readonly state: 'pending' } {
  return { state: 'pending', dueAt: now, error: message.error ?? DIED };
}
