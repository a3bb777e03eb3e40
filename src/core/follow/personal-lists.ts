import type { CustomerStore } from '../accounts/customers/customer.ts';
import { FailureLog } from '../base/async/failure-log.ts';
import { paged } from '../base/async/paged.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import { customerIdOf, type NewChatMessage } from '../chat/chat-message.ts';
import type { ChatStore, UnlistedCursor } from '../chat/chat-store.ts';
import { activeFollows } from './active-follows.ts';
import type { Follower, FollowerStore } from './follower.ts';
import { lastListTime, WEEK_MS, weekEndOf } from './list-times.ts';
import { changedFollowers } from './people.ts';

const LOOK_EVERY_MS = MINUTE_MS;
/** After a start, waiting messages are judged first, so that a late list contains them. */
const FIRST_AFTER_MS = 2 * MINUTE_MS;
/** Zones differ by quarters of an hour, so lists are only due at these times. */
const QUARTER_MS = 15 * MINUTE_MS;
/** How far the clock of another process (which ends messages for the terminal) may be behind. */
const OVERLAP_MS = 2 * MINUTE_MS;
const ENDED_PER_PAGE = 1_000;
const FOLLOWERS_PER_PAGE = 500;

/** Dependencies of `PersonalLists`. */
export interface PersonalListsOptions {
  readonly chat: Pick<ChatStore, 'add' | 'lastList' | 'unlisted' | 'withUnlisted' | 'wasTold'>;
  readonly followers: Pick<FollowerStore, 'byIds' | 'changedSince'>;
  readonly customers: Pick<CustomerStore, 'byIds'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Lets other work run between two people: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
  /** Called when due messages were added. */
  readonly wake: () => void;
}

/**
 * Adds each person's list when it is due, if they have something to list, and a line at the end of a week without anything.
 * Who has something to list is read from messages as they end in the outbox, so that nobody else is looked at;
 * only after a start is everybody looked at. Each is one message per occasion, however often it is added; after downtime it comes
 * late.
 */
export class PersonalLists {
  readonly #options: PersonalListsOptions;
  readonly #stop = new AbortController();
  /** Customers with something to list, and when the first of it ended. */
  readonly #waiting = new Map<string, EpochMs>();
  #readAt: EpochMs = 0;
  #startedAt: EpochMs = 0;
  #quarter = -1;
  #day = -1;
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
    const now = this.#options.clock.now();
    await this.#find(now);
    if (Math.abs(now - this.#startedAt) < FIRST_AFTER_MS) return;
    const [quarter, day] = [Math.floor(now / QUARTER_MS), Math.floor(now / DAY_MS)];
    if (quarter !== this.#quarter) await this.#addLists(now);
    this.#quarter = quarter;
    if (day !== this.#day) await this.#addWeeks(now);
    this.#day = day;
  }

  /** Reads what has ended since the last time; after a start, anyone may have something. */
  async #find(now: EpochMs): Promise<void> {
    const { chat, followers } = this.#options;
    if (this.#readAt === 0) {
      for await (const { customerId } of changedFollowers(followers, 0))
        this.#waiting.set(customerId, now - WEEK_MS);
      this.#readAt = now;
      return;
    }
    const since = Math.min(this.#readAt, now) - OVERLAP_MS;
    const ended = paged<UnlistedCursor>(
      (after) => chat.withUnlisted({ since, limit: ENDED_PER_PAGE, after }),
      ENDED_PER_PAGE,
    );
    for await (const { recipient, endedAt } of ended) {
      const customerId = customerIdOf(recipient);
      if (!this.#waiting.has(customerId)) this.#waiting.set(customerId, endedAt);
    }
    this.#readAt = now;
  }

  async #addLists(now: EpochMs): Promise<void> {
    const times = new Map<string, ReturnType<typeof lastListTime>>();
    for (const ids = [...this.#waiting.keys()]; ids.length > 0; ) {
      const asked = ids.splice(0, FOLLOWERS_PER_PAGE);
      const followers = await this.#options.followers.byIds(asked);
      for (const follower of followers) {
        // Most people share their zone and quiet hours with others.
        const key = JSON.stringify([follower.zone, follower.quiet]);
        const time = times.get(key) ?? lastListTime(follower, now);
        times.set(key, time);
        if (this.#stop.signal.aborted) return;
        await this.#options.yieldToLoop();
        if ((this.#waiting.get(follower.customerId) ?? now) < time.at)
          await this.#addList(follower, time, now);
      }
      const found = new Set(followers.map(({ customerId }) => customerId));
      ids.push(...(await this.#leave(asked.filter((id) => !found.has(id)))));
    }
  }

  /** Forgets those who no longer have a row; what they had belongs to the customers they were merged into, who are returned. */
  async #leave(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const heirs: string[] = [];
    for (const { id, mergedInto } of await this.#options.customers.byIds(ids)) {
      if (mergedInto === null) continue;
      const since = [this.#waiting.get(id) ?? 0, this.#waiting.get(mergedInto) ?? Number.POSITIVE_INFINITY];
      this.#waiting.set(mergedInto, Math.min(...since));
      heirs.push(mergedInto);
    }
    for (const id of ids) this.#waiting.delete(id);
    return heirs;
  }

  async #addList(
    { customerId, place }: Follower,
    { at, occasion }: ReturnType<typeof lastListTime>,
    now: EpochMs,
  ): Promise<void> {
    const { chat, wake } = this.#options;
    const recipient = `customer:${customerId}` as const;
    const last = await chat.lastList(recipient, now + 1);
    const after = Math.max(last?.createdAt ?? 0, now - WEEK_MS);
    const isHeld = async (until: EpochMs) =>
      (await chat.unlisted({ recipient, after, until, limit: 1 })).length > 0;
    const isDue = await isHeld(at);
    if (isDue) {
      const list: NewChatMessage = {
        id: `plist:${occasion}:${hourOf(at)}@${customerId}`,
        recipient,
        kind: 'personal_list',
        facts: { occasion, place, isRealtime: false },
        createdAt: now,
        dueAt: now,
      };
      if ((await chat.add([list])).length > 0) wake();
    }
    // Whatever ended later belongs to the next list; if this one cannot be sent, so does all of it.
    if (isDue || (await isHeld(now))) this.#waiting.set(customerId, Math.max(after, at));
    else this.#waiting.delete(customerId);
  }

  /** Checks once a day everyone whose week ends around then. */
  async #addWeeks(now: EpochMs): Promise<void> {
    const { chat, followers, yieldToLoop } = this.#options;
    for await (const follower of changedFollowers(followers, 0)) {
      if (this.#stop.signal.aborted) return;
      await yieldToLoop();
      const at = weekEndOf(follower, now - DAY_MS);
      if (at > now + DAY_MS || activeFollows(follower, 'enterprise').length === 0) continue;
      const recipient = `customer:${follower.customerId}` as const;
      if (await chat.wasTold(recipient, at - WEEK_MS)) continue;
      const id = `pweek:${hourOf(at)}@${follower.customerId}`;
      const facts = { place: follower.place, isRealtime: false };
      await chat.add([{ id, recipient, kind: 'personal_week', facts, createdAt: at, dueAt: at }]);
    }
  }
}

/** Two evenings can fall on one UTC day when clocks change. */
function hourOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 13);
}
