import { LRUCache } from 'lru-cache';
import { cardPath } from '../../../core/alerts/site-paths.ts';
import { FairQueue } from '../../../core/async/fair-queue.ts';
import { withTimeout } from '../../../core/async/with-timeout.ts';
import type { CardPainter, CardSubject } from '../../../core/cards/card.ts';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import { ReadyAnswer } from '../../views/ready-answer.ts';

/** Cards kept, by the sum of their bytes. */
const BYTES_MAX = 32 * 1_024 * 1_024;
/** Cards that wait while one is drawn; a request beyond them gets a 503. */
export const CARDS_WAITING_MAX = 20;
/** The first card loads fonts and libraries. */
const DRAW_TIMEOUT_MS = 15 * SECOND_MS;
/** Who keeps a card asks after an hour whether it is still the same: the tag decides. */
const CACHE = 'public, max-age=3600';

/** Pictures of alerts as bytes: each is drawn when it is first asked for, one at a time, and kept until what it shows changes. */
export class Cards {
  readonly #painter: CardPainter;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #kept = new LRUCache<string, ReadyAnswer>({ maxSize: BYTES_MAX });
  readonly #drawing = new Map<string, Promise<ReadyAnswer>>();
  readonly #queue = new FairQueue({ running: 1, waiting: CARDS_WAITING_MAX });

  constructor(painter: CardPainter, clock: Pick<Clock, 'sleep'>) {
    this.#painter = painter;
    this.#clock = clock;
  }

  /** Callers share a card that is being drawn. Rejects with `QueueFullError` when too many wait. */
  get(subject: CardSubject, caller: string): ReadyAnswer | Promise<ReadyAnswer> {
    const name = `${cardPath(subject.alert)} ${subject.isWithdrawn}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const running = this.#drawing.get(name);
    if (running !== undefined) return running;
    const drawing = this.#queue
      .run(() => this.#draw(name, subject), { caller })
      .finally(() => this.#drawing.delete(name));
    this.#drawing.set(name, drawing);
    return drawing;
  }

  async #draw(name: string, subject: CardSubject): Promise<ReadyAnswer> {
    const limit = { clock: this.#clock, timeoutMs: DRAW_TIMEOUT_MS };
    const png = await withTimeout(limit, (signal) => this.#painter.draw(subject, signal));
    const answer = new ReadyAnswer(png, {
      contentType: 'image/png',
      cacheControl: CACHE,
      isCompressible: false,
      // Other sites show it beside a link.
      headers: { 'cross-origin-resource-policy': 'cross-origin' },
    });
    this.#kept.set(name, answer, { size: png.length });
    return answer;
  }
}
