import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { CustomerService } from '../customers/customer-service.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import type { PausableName } from '../operations/pause-flags.ts';
import type { EpochMs } from '../trade.ts';
import { CANNOT_EDIT, ChannelSendStep } from './channel-send-step.ts';
import { CHANNELS, type Channel } from './chat-message.ts';
import { type ChatQueue, isChannel } from './chat-queue.ts';
import { ChatQueueWorker } from './chat-queue-worker.ts';
import type { ChatChange, ChatClaim, ChatStore } from './chat-store.ts';
import { MessageSender, type MessageSenderOptions, ownerOf } from './message-sender.ts';
import { createPrivateSendStep, type Messengers, type SendStep } from './send-step.ts';

/** At the end, messages being sent have this long; then they are aborted. */
const LAST_SENDS_MS = 4 * SECOND_MS;
const LAST_WRITES_MS = 500;

/** State of the engine. */
interface ChatStatus {
  /** Messages being sent. */
  readonly inFlight: number;
  /** Queues that pause because their platform asked for it or failed, and until when. */
  readonly paused: readonly {
    readonly platform: Channel;
    readonly queue: ChatQueue;
    readonly until: EpochMs;
  }[];
}

/** Dependencies of a `ChatEngine`. `View` is what the messengers show. */
export interface ChatEngineOptions<View> extends MessageSenderOptions<View> {
  readonly store: ChatStore;
  readonly messengers: Messengers<View>;
  /** Messengers to operators, where they have a bot of their own; elsewhere `messengers` are used. */
  readonly operatorMessengers?: Messengers<View>;
  readonly customers: Pick<CustomerService, 'byId' | 'markUnreachable'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  readonly isPaused: (name: PausableName) => boolean;
  /** Alerts that a channel gets as single posts in a UTC hour. */
  readonly postsPerHour: number;
  /** Whether the process with this id is known to have ended. */
  readonly isGone: (owner: string) => boolean;
  /** Lets other work run: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
}

interface NamedWorker {
  readonly platform: Channel;
  readonly queue: ChatQueue;
  readonly worker: ChatQueueWorker;
}

/**
 * Sends the messages of the outbox, in the one process that has the lease `bots`. A post in a channel is sent at most
 * once; a message to a person at least once, for three days. Each platform has a queue for its channel and one for
 * people, so that neither delays the other.
 */
export class ChatEngine<View> {
  readonly #options: ChatEngineOptions<View>;
  readonly #sender: MessageSender<View>;
  readonly #workers: readonly NamedWorker[];
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ChatEngineOptions<View>) {
    this.#options = options;
    const { store, present, owner, clock, logger, random } = options;
    this.#sender = new MessageSender({ store, present, owner, clock, logger, random });
    this.#workers = CHANNELS.flatMap((platform) => this.#workersOf(platform));
  }

  start(): void {
    const { store, owner, isGone, clock, logger } = this.#options;
    const { inFlight } = this.#sender;
    const { signal } = this.#stop;
    this.#running = Promise.allSettled([
      ...this.#workers.map(({ worker }) => worker.run(signal)),
      recoverClaims({ store, owner, isGone, inFlight, clock, logger }, signal),
    ]);
  }

  /** Call when a message was added that is due. */
  readonly wake = (): void => {
    for (const { worker } of this.#workers) worker.wake();
  };

  /** Lets messages that are being sent end, within 5 seconds; the others stay in the outbox. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#runningWithin(LAST_SENDS_MS);
    this.#sender.abort();
    await this.#runningWithin(LAST_WRITES_MS);
    const { size } = this.#sender.inFlight;
    if (size > 0)
      this.#options.logger.warn({ messages: size }, 'outcome of chat messages unknown at the end');
  }

  status(): ChatStatus {
    const paused = this.#workers.flatMap(({ platform, queue, worker }) => {
      const until = worker.pausedUntil;
      return until === null ? [] : { platform, queue, until };
    });
    return { inFlight: this.#sender.inFlight.size, paused };
  }

  async #runningWithin(timeoutMs: number): Promise<void> {
    await withTimeout({ clock: this.#options.clock, timeoutMs }, this.#running).catch(() => {});
  }

  #workersOf(platform: Channel): readonly NamedWorker[] {
    const { messengers, operatorMessengers = {}, store, customers, keys, clock } = this.#options;
    const sender = this.#sender;
    const messenger = messengers[platform];
    const toPeople = createPrivateSendStep({
      platform,
      sender,
      store,
      messengers,
      operatorMessengers,
      customers,
      keys,
      clock,
    });
    const people = this.#workerOf(platform, 'private', toPeople);
    if (messenger === undefined) return operatorMessengers[platform] === undefined ? [] : [people];
    const { isPaused, postsPerHour } = this.#options;
    const step = new ChannelSendStep({
      channel: platform,
      sender,
      messenger,
      store,
      isPaused,
      postsPerHour,
      clock,
    });
    return [this.#workerOf(platform, `channel:${platform}`, step.take), people];
  }

  #workerOf(platform: Channel, queue: ChatQueue, sendStep: SendStep): NamedWorker {
    const { store, clock, logger, yieldToLoop } = this.#options;
    const worker = new ChatQueueWorker({ queue, sendStep, store, clock, logger, yieldToLoop });
    return { platform, queue, worker };
  }
}

const INTERVAL_MS = 10 * SECOND_MS;
const PAGE = 500;
/** Longer than any send: the process that made such a claim sends no more. */
const CLAIM_TIMEOUT_MS = 2 * MINUTE_MS;

/** Dependencies of `recoverClaims`. */
interface RecoverClaimsDeps {
  readonly store: Pick<ChatStore, 'claims' | 'finish'>;
  /** Unique process id. */
  readonly owner: string;
  /** Whether the process with this id is known to have ended. */
  readonly isGone: (owner: string) => boolean;
  /** Ids of the messages that this process sends now. */
  readonly inFlight: ReadonlySet<string>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Ends the claims of processes that died, until the signal aborts: messages to people are due again; posts in channels,
 * which may have been sent, are not sent again.
 */
async function recoverClaims(deps: RecoverClaimsDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, logger } = deps;
  const failures = new FailureLog(logger, 'claims of chat messages unavailable; retrying in 10 s');
  const recover = async () => {
    for (const claim of await store.claims(PAGE)) if (isLost(deps, claim)) await end(deps, claim);
  };
  await repeat(recover, { clock, signal, intervalMs: INTERVAL_MS, failures });
}

async function end({ store, clock, logger, owner }: RecoverClaimsDeps, claim: ChatClaim): Promise<void> {
  const { id } = claim.message;
  // A claim of this process that is not in flight: its answer was lost, and nothing was sent.
  const change =
    ownerOf(claim.owner) === owner ? dueAgain(claim, clock.now()) : afterDeath(claim, clock.now());
  if (await store.finish(id, claim.owner, change))
    logger.warn(
      { message: id, owner: claim.owner, state: change.state },
      'lost claim of a chat message ended',
    );
}

function isLost({ owner, isGone, inFlight, clock }: RecoverClaimsDeps, claim: ChatClaim): boolean {
  const process = ownerOf(claim.owner);
  if (process === owner) return !inFlight.has(claim.message.id);
  return clock.now() - claim.claimedAt > CLAIM_TIMEOUT_MS || isGone(process);
}

function afterDeath(claim: ChatClaim, now: number): ChatChange {
  const { recipient, kind, error } = claim.message;
  const isEdit = (kind === 'alert_update' || kind === 'alert_result') && error !== CANNOT_EDIT;
  if (isChannel(recipient) && !isEdit) return { state: 'failed', error: 'unknown', at: now };
  return dueAgain(claim, now);
}

function dueAgain({ message }: ChatClaim, now: number): ChatChange {
  return { state: 'pending', dueAt: now, error: message.error ?? 'unknown' };
}
