import { withTimeout } from '../async/with-timeout.ts';
import type { CustomerService } from '../customers/customer-service.ts';
import { SECOND_MS } from '../duration.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { PausableName } from '../operations/pause-store.ts';
import type { EpochMs } from '../trade.ts';
import { ChannelSendStep } from './channel-send-step.ts';
import { CHANNELS, type Channel } from './chat-message.ts';
import type { ChatQueue } from './chat-queue.ts';
import { ChatQueueWorker } from './chat-queue-worker.ts';
import type { ChatStore } from './chat-store.ts';
import { MessageSender, type MessageSenderOptions } from './message-sender.ts';
import { recoverClaims } from './recover-claims.ts';
import { createPrivateSendStep, type Messengers, type SendStep } from './send-step.ts';

/** At the end, messages being sent have this long; then they are aborted. */
const LAST_SENDS_MS = 4 * SECOND_MS;
const LAST_WRITES_MS = 500;

/** State of the engine. */
export interface ChatStatus {
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
