import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../ports/logger.ts';
import type { EpochMs } from '../trade.ts';
import { createInsist } from '../webhooks/insist.ts';
import { within } from '../within.ts';
import { createChannelTurn } from './channel-turn.ts';
import { createLane, type Lane } from './chat-lane.ts';
import { CHANNELS, type Channel } from './chat-message.ts';
import type { ChatLane } from './lane.ts';
import { keepRecovering } from './recover.ts';
import { createPrivateTurn, type Turn, type TurnDeps } from './turn.ts';

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
    readonly lane: ChatLane;
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
  extends Omit<TurnDeps<View>, 'inFlight' | 'insist' | 'end' | 'nextClaim' | 'clock' | 'logger'> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  /** Lets everything else have its turn: a store that answers at once would keep it waiting. */
  readonly nextTurn: () => Promise<void>;
}

/** Builds the engine, two lanes for each messenger: a channel never holds up people, nor one platform the other. */
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
  const deps = { ...given, inFlight, nextClaim, insist: createInsist(given), end: end.signal };
  const lanes = lanesOf(deps);
  let running: Promise<unknown> = Promise.resolve();

  return {
    start() {
      const work = lanes.map(({ lane }) => lane.run(stop.signal));
      running = Promise.allSettled([...work, keepRecovering(deps, stop.signal)]);
    },
    wake() {
      for (const { lane } of lanes) lane.wake();
    },
    async close() {
      stop.abort();
      const giving = (timeoutMs: number) => within({ clock, timeoutMs }, running).catch(() => {});
      await giving(LAST_SENDS_MS);
      end.abort();
      await giving(LAST_WRITE_MS);
      if (inFlight.size > 0) logger.warn({ messages: inFlight.size }, 'messages were left being sent');
    },
    status: () => ({
      inFlight: inFlight.size,
      resting: lanes.flatMap(({ platform, name, lane }) => {
        const until = lane.restsUntil();
        return until === null ? [] : { platform, lane: name, until };
      }),
    }),
  };
}

interface NamedLane {
  readonly platform: Channel;
  readonly name: ChatLane;
  readonly lane: Lane;
}

function lanesOf<View>(
  deps: TurnDeps<View> & Pick<ChatEngineDeps<View>, 'nextTurn' | 'clock' | 'logger'>,
): readonly NamedLane[] {
  const laneOf = (platform: Channel, name: ChatLane, turn: Turn) => ({
    platform,
    name,
    lane: createLane(deps, name, turn),
  });
  return CHANNELS.flatMap((platform) => {
    const messenger = deps.messengers[platform];
    const people = laneOf(platform, 'private', createPrivateTurn(deps, platform));
    if (messenger === undefined) return deps.operatorMessengers?.[platform] === undefined ? [] : [people];
    return [laneOf(platform, `channel:${platform}`, createChannelTurn(deps, platform, messenger)), people];
  });
}
