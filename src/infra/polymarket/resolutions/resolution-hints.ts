import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { conditionIdOf, isConditionId } from '../../sources/condition-id.ts';
import { ANSWER_BATCH } from './resolution-answers.ts';
import type { Settle } from './settle.ts';

/** After a look that found no outcome. Then the rounds go on alone. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const MOST_HINTS = 1_000;

interface Hint {
  looks: number;
  dueAt: EpochMs;
}

interface HintDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settle: Settle;
}

/** Looks at markets that the stream names until they are settled: the stream is early, and only a hint. */
export function createResolutionHints({ clock, logger, settle }: HintDeps) {
  const hints = new Map<string, Hint>();
  let waking = new AbortController();

  async function look(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const due = [...hints].filter(([, { dueAt }]) => dueAt <= now).slice(0, ANSWER_BATCH);
    if (due.length === 0) return;
    for (const [id, hint] of due) {
      const pauseMs = PAUSES_MS[hint.looks];
      hint.looks += 1;
      if (pauseMs === undefined) hints.delete(id);
      else hint.dueAt = now + pauseMs;
    }
    const ids = due.map(([id]) => id);
    for (const id of await settle(ids, { signal, isCorrection: false })) hints.delete(id);
  }

  return {
    add(marketId: string): void {
      const id = conditionIdOf(marketId);
      if (!isConditionId(id) || hints.has(id) || hints.size >= MOST_HINTS) return;
      hints.set(id, { looks: 0, dueAt: clock.now() });
      waking.abort();
    },
    async run(signal: AbortSignal): Promise<void> {
      signal.addEventListener('abort', () => waking.abort(), { once: true });
      while (!signal.aborted) {
        waking = new AbortController();
        try {
          await look(signal);
        } catch (error) {
          if (!signal.aborted)
            logger.warn({ err: error }, 'a hint at a resolution cannot be followed for now');
        }
        const next = Math.min(clock.now() + HOUR_MS, ...[...hints.values()].map(({ dueAt }) => dueAt));
        if (!signal.aborted) await clock.sleep(Math.max(0, next - clock.now()), waking.signal);
      }
    },
  };
}
