import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import type { NewChatMessage } from '../chat/chat-message.ts';
import type { ChatStore } from '../chat/chat-store.ts';
import { activeFollows } from './active-follows.ts';
import type { Follower, Followers } from './follower.ts';
import { hourOf, lastListTime, WEEK_MS, weekEndOf } from './list-times.ts';
import { changedFollowers } from './people.ts';

const LOOK_EVERY_MS = MINUTE_MS;
/** After a start, waiting messages are judged first, so that a late list contains them. */
const FIRST_AFTER_MS = 30 * SECOND_MS;
/** Zones differ by quarters of an hour, so lists are only due at these times. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Dependencies of `PersonalLists`. */
export interface PersonalListsOptions {
  readonly chat: Pick<ChatStore, 'add' | 'lastList' | 'hasUnlisted' | 'wasTold'>;
  readonly followers: Pick<Followers, 'changedSince'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Lets other work run between two people: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
  /** Called when due messages were added. */
  readonly wake: () => void;
}

/**
 * Adds each person's list when it is due, if they have something to list, and a line at the end of a week without anything.
 * Every quarter of an hour all followers are read, and those whose list became due since are looked up in the outbox. Each is
 * one message per occasion, however often it is added; after downtime it comes late.
 */
export class PersonalLists {
  readonly #options: PersonalListsOptions;
  readonly #stop = new AbortController();
  #startedAt: EpochMs = 0;
  /** Up to when lists were added; 0: since the start none. */
  #listedAt: EpochMs = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PersonalListsOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, logger } = this.#options;
    const { signal } = this.#stop;
    this.#startedAt = clock.now();
    const failures = new FailureLog(logger, 'lists for people unavailable; retrying every minute');
    this.#running = repeat(() => this.#look(), { clock, signal, intervalMs: LOOK_EVERY_MS, failures });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #look(): Promise<void> {
    const { clock, followers, yieldToLoop } = this.#options;
    const now = clock.now();
    if (Math.abs(now - this.#startedAt) < FIRST_AFTER_MS) return;
    // A clock may have been set back.
    const since = Math.min(this.#listedAt, now);
    if (!isNewPeriod(QUARTER_MS, since, now)) return;
    const times = new Map<string, ReturnType<typeof lastListTime>>();
    for await (const follower of changedFollowers(followers, 0)) {
      if (this.#stop.signal.aborted) return;
      await yieldToLoop();
      // Most people share their zone and quiet hours with others.
      const key = JSON.stringify([follower.zone, follower.quiet]);
      const time = times.get(key) ?? lastListTime(follower, now);
      times.set(key, time);
      // After a change of the zone or the quiet hours, another time was the last.
      if (Math.max(time.at, follower.changedAt) >= since) await this.#addList(follower, time, now);
      if (isNewPeriod(DAY_MS, since, now)) await this.#addWeek(follower, now);
    }
    this.#listedAt = now;
  }

  async #addList(
    { customerId, platform }: Follower,
    { at, occasion }: ReturnType<typeof lastListTime>,
    now: EpochMs,
  ): Promise<void> {
    const { chat, wake } = this.#options;
    const recipient = `customer:${customerId}` as const;
    const last = await chat.lastList(recipient, now + 1);
    const after = Math.max(last?.createdAt ?? 0, now - WEEK_MS);
    // Whatever ended later belongs to the next list.
    if (!(await chat.hasUnlisted({ recipient, after, until: at }))) return;
    const list: NewChatMessage = {
      id: `plist:${occasion}:${hourOf(at)}@${customerId}`,
      recipient,
      kind: 'personal_list',
      facts: { occasion, platform, isRealtime: false },
      createdAt: now,
      dueAt: now,
    };
    if ((await chat.add([list])).length > 0) wake();
  }

  /** Called once a day: the week may end within a day. */
  async #addWeek(follower: Follower, now: EpochMs): Promise<void> {
    const { chat } = this.#options;
    const at = weekEndOf(follower, now - DAY_MS);
    if (at > now + DAY_MS || activeFollows(follower, 'enterprise').length === 0) return;
    const recipient = `customer:${follower.customerId}` as const;
    if (await chat.wasTold(recipient, at - WEEK_MS)) return;
    const id = `pweek:${hourOf(at)}@${follower.customerId}`;
    const facts = { platform: follower.platform, isRealtime: false };
    await chat.add([{ id, recipient, kind: 'personal_week', facts, createdAt: at, dueAt: at }]);
  }
}

function isNewPeriod(lengthMs: number, since: EpochMs, now: EpochMs): boolean {
  return Math.floor(now / lengthMs) !== Math.floor(since / lengthMs);
}
