import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';

const PAUSE_MS = SECOND_MS;

/** Asks once more, a second later, when the fault may pass: what fails a moment is no broken assumption. */
export async function retryOnce<Answer>(
  {
    clock,
    signal,
    mayPass,
  }: { clock: Pick<Clock, 'sleep'>; signal: AbortSignal; mayPass(error: unknown): boolean },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted || !mayPass(error)) throw error;
    await clock.sleep(PAUSE_MS, signal);
    return ask();
  }
}
