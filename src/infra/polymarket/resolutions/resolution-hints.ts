import { FailureLog } from '../../../core/async/failure-log.ts';
import { createNotifier } from '../../../core/async/notifier.ts';
import { repeat } from '../../../core/async/repeat.ts';
import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { conditionIdOf, isConditionId } from '../../sources/condition-id.ts';
import type { MarketSettler } from './market-settler.ts';
import { ANSWER_BATCH } from './resolution-answers.ts';

/** Pauses after each look that found no outcome. After the last one the market is left to the rounds. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const MOST_HINTS = 1_000;

interface Hint {
  looks: number;
  dueAt: EpochMs;
}

/** Looks at markets that the stream reports as resolved until they are settled: the stream is early, but not authoritative. */
export class ResolutionHints {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #settler: MarketSettler;
  readonly #hints = new Map<string, Hint>();
  readonly #added = createNotifier();

  constructor(clock: Clock, logger: Logger, settler: MarketSettler) {
    this.#clock = clock;
    this.#logger = logger;
    this.#settler = settler;
  }

  add(marketId: string): void {
    const id = conditionIdOf(marketId);
    if (!isConditionId(id) || this.#hints.has(id) || this.#hints.size >= MOST_HINTS) return;
    this.#hints.set(id, { looks: 0, dueAt: this.#clock.now() });
    this.#added.notify();
  }

  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const clock = this.#clock;
    return repeat(() => this.#look(signal), {
      clock,
      signal,
      intervalMs: () => {
        const dues = [...this.#hints.values()].map(({ dueAt }) => dueAt);
        return Math.max(0, Math.min(HOUR_MS, ...dues.map((dueAt) => dueAt - clock.now())));
      },
      failures: new FailureLog(this.#logger, 'resolution hint not followed; retrying'),
      wake: () => this.#added.nextNotification(),
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const due = [...this.#hints].filter(([, { dueAt }]) => dueAt <= now).slice(0, ANSWER_BATCH);
    if (due.length === 0) return;
    for (const [id, hint] of due) {
      const pauseMs = PAUSES_MS[hint.looks];
      hint.looks += 1;
      if (pauseMs === undefined) this.#hints.delete(id);
      else hint.dueAt = now + pauseMs;
    }
    const ids = due.map(([id]) => id);
    for (const id of await this.#settler.settle(ids, { signal, isCorrection: false })) this.#hints.delete(id);
  }
}
