import type { CardPainter, CardSubject } from '../core/alerts/cards/card.ts';
import { FairQueue } from '../core/base/async/fair-queue.ts';
import { RecentReads } from '../core/base/async/recent-reads.ts';
import { withTimeout } from '../core/base/async/with-timeout.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { HOUR_MS, SECOND_MS } from '../core/base/time/duration.ts';
import { ReadyAnswer } from '../http/views/ready-answer.ts';

/** A card goes on with its prices each hour. 500 of them take about 30 MB. */
const KEPT = { keptMs: HOUR_MS, max: 500 };
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

/** Pictures of alerts, drawn one at a time. */
export class Cards {
  readonly #painter: CardPainter;
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #kept: RecentReads<ReadyAnswer>;
  readonly #queue = new FairQueue({
    running: 1,
    tasksPerCaller: CARDS_MAX.perCaller,
    waiting: CARDS_MAX.waiting,
  });

  constructor(painter: CardPainter, clock: Pick<Clock, 'now' | 'sleep'>) {
    this.#painter = painter;
    this.#clock = clock;
    this.#kept = new RecentReads(clock, KEPT);
  }

  /**
   * In round robin over the callers; rejects with `QueueFullError`. `key`: of all that decides its look but prices. `read`: only
   * for a card that is drawn.
   */
  get(key: string, read: () => Promise<CardSubject>, caller: string): Promise<ReadyAnswer> {
    return this.#kept.get(key, () => this.#queue.run(async () => this.#draw(await read()), { caller }));
  }

  async #draw(subject: CardSubject): Promise<ReadyAnswer> {
    const limit = { clock: this.#clock, timeoutMs: DRAW_TIMEOUT_MS };
    const png = await withTimeout(limit, (signal) => this.#painter.draw(subject, signal));
    return new ReadyAnswer(png, { contentType: 'image/png', ...IMAGE_OPTIONS });
  }
}
