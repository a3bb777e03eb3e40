import { LRUCache } from 'lru-cache';
import type { CardPainter, CardSubject } from '../core/alerts/cards/card.ts';
import { FairQueue, type FairQueueOptions } from '../core/base/async/fair-queue.ts';
import { withTimeout } from '../core/base/async/with-timeout.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { SECOND_MS, startOfHour } from '../core/base/time/duration.ts';
import { ReadyAnswer } from '../http/views/ready-answer.ts';

const BYTES_MAX = 32 * 1_024 * 1_024;
/** Requests for cards that are not kept: of one caller, running and waiting together, and all that wait. */
export const CARDS_MAX = { perCaller: 10, waiting: 100 };
/** The first card loads fonts and libraries. */
const DRAW_TIMEOUT_MS = 15 * SECOND_MS;
/** Other sites show pictures beside a link. Who keeps one asks after an hour whether it is still the same: the tag decides. */
export const IMAGE_OPTIONS = {
  cacheControl: 'public, max-age=3600',
  isCompressible: false,
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
} as const;

type ReadSubject = () => Promise<CardSubject>;

export class Cards {
  readonly #painter: CardPainter;
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #kept = new LRUCache<string, ReadyAnswer>({ maxSize: BYTES_MAX });
  readonly #drawing = new Map<string, Promise<ReadyAnswer>>();
  readonly #queue = new FairQueue({
    running: 1,
    tasksPerCaller: CARDS_MAX.perCaller,
    waiting: CARDS_MAX.waiting,
  });

  constructor(painter: CardPainter, clock: Pick<Clock, 'now' | 'sleep'>) {
    this.#painter = painter;
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * In round robin over the callers; rejects with `QueueFullError`, or when the signal aborts first. `key`: of all that decides
   * its look but prices, which go on. `read`: only for a card that is drawn.
   */
  get(
    key: string,
    read: ReadSubject,
    options: Pick<FairQueueOptions, 'caller' | 'signal'>,
  ): ReadyAnswer | Promise<ReadyAnswer> {
    const name = `${key} ${startOfHour(this.#clock.now())}`;
    const known = this.#kept.get(name) ?? this.#drawing.get(name);
    return known ?? this.#queue.run(() => this.#draw(name, read), options);
  }

  async #draw(name: string, read: ReadSubject): Promise<ReadyAnswer> {
    // Another caller may have waited for the same card.
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const drawing = this.#paint(name, read).finally(() => this.#drawing.delete(name));
    this.#drawing.set(name, drawing);
    return drawing;
  }

  async #paint(name: string, read: ReadSubject): Promise<ReadyAnswer> {
    const subject = await read();
    const limit = { clock: this.#clock, timeoutMs: DRAW_TIMEOUT_MS };
    const png = await withTimeout(limit, (signal) => this.#painter.draw(subject, signal));
    const answer = new ReadyAnswer(png, { contentType: 'image/png', ...IMAGE_OPTIONS });
    this.#kept.set(name, answer, { size: png.length });
    return answer;
  }
}
