import { createRetryUntilAnswered } from '../async/retry-until-answered.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import { createChannelSendStep } from './channel-send-step.ts';
import { CHANNELS, type Channel } from './chat-message.ts';
import type { ChatQueue } from './chat-queue.ts';
import { type ChatQueueWorker, createChatQueueWorker } from './chat-queue-worker.ts';
import { recoverClaims } from './recover-claims.ts';
import { createPrivateSendStep, type SendStep, type SendStepDeps } from './send-step.ts';

/** What is being sent at the end has so long; then it is cut off. */
const LAST_SENDS_MS = 4 * SECOND_MS;
const LAST_WRITE_MS = 500;

/** Where the engine stands. */
export interface ChatStatus {
  /** Messages being sent. */
  readonly inFlight: number;
  /** Lanes that rest because their platform asked for it or failed, and until when. */
  readonly resting: readonly {
    readonly platform: Channel;
    readonly lane: ChatQueue;
    readonly until: EpochMs;
  }[];
}

/**
 * Sends what the outbox holds, in the one process that has the lease `bots`. A channel's post is sent at most once; a
 * message to a person at least once, or given up after three days.
 */
export interface ChatEngine {
  /** Begins to send. */
  start(): void;
  /** Something was added that is due. */
  wake(): void;
  /** Lets what is being sent end, within 5 seconds; what waits stays for the next start. */
  close(): Promise<void>;
  status(): ChatStatus;
}

/** What the engine stands on. `View` is what the messengers show. */
export interface ChatEngineDeps<View>
  extends Omit<
    SendStepDeps<View>,
    'inFlight' | 'retryUntilAnswered' | 'end' | 'nextClaim' | 'clock' | 'logger'
  > {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  /** Lets everything else have its turn: a store that answers at once would keep it waiting. */
  readonly yieldToLoop: () => Promise<void>;
}

/** Builds the engine, two queues for each messenger: a channel never holds up people, nor one platform the other. */
export function createChatEngine<View>(given: ChatEngineDeps<View>): ChatEngine {
  const { clock, logger } = given;
  const stop = new AbortController();
  const end = new AbortController();
  const inFlight = new Set<string>();
  let claims = 0;
  const nextClaim = () => {
    claims += 1;
    return `${given.owner}#${claims}`;
  };
  const deps = {
    ...given,
    inFlight,
    nextClaim,
    retryUntilAnswered: createRetryUntilAnswered(given),
    end: end.signal,
  };
  const workers = workersOf(deps);
  let running: Promise<unknown> = Promise.resolve();

  return {
    start() {
      const work = workers.map(({ worker }) => worker.run(stop.signal));
      running = Promise.allSettled([...work, recoverClaims(deps, stop.signal)]);
    },
    wake() {
      for (const { worker } of workers) worker.wake();
    },
    async close() {
      stop.abort();
      const giving = (timeoutMs: number) => withTimeout({ clock, timeoutMs }, running).catch(() => {});
      await giving(LAST_SENDS_MS);
      end.abort();
      await giving(LAST_WRITE_MS);
      if (inFlight.size > 0) logger.warn({ messages: inFlight.size }, 'messages were left being sent');
    },
    status: () => ({
      inFlight: inFlight.size,
      resting: workers.flatMap(({ platform, name, worker }) => {
        const until = worker.pausedUntil();
        return until === null ? [] : { platform, lane: name, until };
      }),
    }),
  };
}

interface NamedWorker {
  readonly platform: Channel;
  readonly name: ChatQueue;
  readonly worker: ChatQueueWorker;
}

function workersOf<View>(
  deps: SendStepDeps<View> & Pick<ChatEngineDeps<View>, 'yieldToLoop' | 'clock' | 'logger'>,
): readonly NamedWorker[] {
  const workerOf = (platform: Channel, name: ChatQueue, sendStep: SendStep) => ({
    platform,
    name,
    worker: createChatQueueWorker(deps, name, sendStep),
  });
  return CHANNELS.flatMap((platform) => {
    const messenger = deps.messengers[platform];
    const people = workerOf(platform, 'private', createPrivateSendStep(deps, platform));
    if (messenger === undefined) return deps.operatorMessengers?.[platform] === undefined ? [] : [people];
    return [
      workerOf(platform, `channel:${platform}`, createChannelSendStep(deps, platform, messenger)),
      people,
    ];
  });
}
