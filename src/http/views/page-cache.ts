import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../core/base/time/duration.ts';
import type { ReadyAnswer } from './ready-answer.ts';

/** Prices and figures on a page may be so old. */
const MAX_AGE_MS = MINUTE_MS;
const PAGES_MAX = 5_000;
const BYTES_MAX = 64 * 1_024 * 1_024;
const TOPICS_MAX = 5_000;

export const TOPICS = {
  alerts: 'alerts',
  feed: 'feed',
  market: (marketId: string) => `market:${marketId}`,
} as const;

interface Cached {
  readonly answer: ReadyAnswer;
  readonly madeAt: EpochMs;
  readonly changes: number;
  readonly topics: readonly string[];
}

export interface MadePage {
  readonly answer: ReadyAnswer;
  readonly bytes: number;
  readonly topics: readonly string[];
}

export type MakePage = () => Promise<MadePage | null>;

/** Pages as bytes: each is made when it is first asked for, and again after a change of a topic, or when it is a minute old. */
export class PageCache {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #pages = new LRUCache<string, Cached>({ max: PAGES_MAX, maxSize: BYTES_MAX });
  readonly #making = new Map<string, Promise<ReadyAnswer | null>>();
  readonly #changed = new LRUCache<string, number>({ max: TOPICS_MAX });
  #changes = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Callers share a page that is being made; if that fails each tries once more. Null: there is none. */
  get(name: string, make: MakePage): ReadyAnswer | Promise<ReadyAnswer | null> {
    const cached = this.#pages.get(name);
    if (cached !== undefined && this.#isCurrent(cached)) return cached.answer;
    const running = this.#making.get(name);
    return running?.catch(() => this.#shared(name, make)) ?? this.#shared(name, make);
  }

  change(topic: string): void {
    this.#changes += 1;
    this.#changed.set(topic, this.#changes);
    // A page that is being made may have read what was before.
    this.#making.clear();
  }

  #isCurrent({ madeAt, changes, topics }: Cached): boolean {
    // A clock that was set back must not keep a page.
    if (Math.abs(this.#clock.now() - madeAt) > MAX_AGE_MS) return false;
    return topics.every((topic) => (this.#changed.peek(topic) ?? 0) <= changes);
  }

  #shared(name: string, make: MakePage): Promise<ReadyAnswer | null> {
    const running = this.#making.get(name);
    if (running !== undefined) return running;
    const making = this.#make(name, make).finally(() => {
      if (this.#making.get(name) === making) this.#making.delete(name);
    });
    this.#making.set(name, making);
    return making;
  }

  async #make(name: string, make: MakePage): Promise<ReadyAnswer | null> {
    const changes = this.#changes;
    const madeAt = this.#clock.now();
    const made = await make();
    if (made === null) return null;
    const { bytes, topics } = made;
    const before = this.#pages.peek(name)?.answer;
    // The same bytes are compressed already.
    const answer = before?.etag === made.answer.etag ? before : made.answer;
    this.#pages.set(name, { answer, madeAt, changes, topics }, { size: bytes });
    return answer;
  }
}
