import type { Clock } from '../../src/core/clock.ts';
import { createRecentMap } from '../../src/core/recent-map.ts';

/** Keeps what is sent within Telegram's limits. */
export interface Pacer {
  /**
   * Waits for this chat's turn. 0 when it came; else the milliseconds it takes, when that is too long to wait or the
   * signal ended the wait.
   */
  turn(chat: string, signal: AbortSignal): Promise<number>;
  /** Takes this chat's turn when it can be had now, without a wait. */
  takeNow(chat: string): boolean;
  /** Telegram wants no message there for so long. */
  hold(chat: string, ms: number): void;
}

/** So many within any such time. */
interface Allowance {
  readonly most: number;
  readonly windowMs: number;
}

/**
 * Telegram's limits: 30 messages a second in all, of which the answers to those who write need some; one a second in a
 * chat; 20 a minute in a group or channel (core.telegram.org/bots/faq).
 */
const OVERALL: Allowance = { most: 25, windowMs: 1_000 };
const CHAT: Allowance = { most: 1, windowMs: 1_000 };
const GROUP: Allowance = { most: 20, windowMs: 60_000 };
const CHATS = 10_000;
/** Longer than this nobody waits here: the message goes back and others go first. */
const LONGEST_WAIT_MS = 5_000;

interface Lane {
  /** The newest turns, oldest first, at most as many as the allowance. */
  turns: readonly number[];
  heldUntil: number;
}

/** Memory: at most 10,000 chats with 20 moments each. */
export function createPacer(clock: Clock): Pacer {
  const all: Lane = { turns: [], heldUntil: 0 };
  const lanes = createRecentMap<Lane>(CHATS);

  function laneOf(chat: string): Lane {
    const known = lanes.get(chat);
    if (known !== undefined) return known;
    const lane = { turns: [], heldUntil: 0 };
    lanes.set(chat, lane);
    return lane;
  }

  /** When the chat's next turn is, from `now` on. */
  function turnOf(chat: string, now: number): number {
    const lane = laneOf(chat);
    const isGroup = chat.startsWith('-') || chat.startsWith('@');
    const limits = [CHAT, ...(isGroup ? [GROUP] : [])];
    return Math.max(now, lane.heldUntil, next(all, OVERALL), ...limits.map((limit) => next(lane, limit)));
  }

  function take(chat: string, at: number): void {
    const lane = laneOf(chat);
    all.turns = [...all.turns, at].slice(-OVERALL.most);
    lane.turns = [...lane.turns, at].slice(-GROUP.most);
  }

  return {
    async turn(chat, signal) {
      const now = clock.now();
      const at = turnOf(chat, now);
      const waitMs = at - now;
      if (waitMs > LONGEST_WAIT_MS || signal.aborted) return Math.max(1, waitMs);
      take(chat, at);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      return signal.aborted ? Math.max(1, waitMs) : 0;
    },
    takeNow(chat) {
      const now = clock.now();
      const isFree = turnOf(chat, now) === now;
      if (isFree) take(chat, now);
      return isFree;
    },
    hold(chat, ms) {
      const lane = laneOf(chat);
      lane.heldUntil = Math.max(lane.heldUntil, clock.now() + ms);
    },
  };
}

function next({ turns }: Lane, { most, windowMs }: Allowance): number {
  const first = turns.at(-most);
  return first === undefined || turns.length < most ? 0 : first + windowMs;
}
