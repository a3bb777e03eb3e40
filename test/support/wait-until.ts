import { repeatUntil } from '../../src/core/base/async/repeat.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

/** Asks, in real time, until there is an answer. Rejects after `timeoutMs`, naming `what` was waited for. */
export async function waitUntil<Answer>(
  ask: () => Promise<Answer | null> | Answer | null,
  { timeoutMs, everyMs = 250, what }: { timeoutMs: number; everyMs?: number; what: string },
): Promise<Answer> {
  let found: Answer | null = null;
  const task = async () => {
    found = await ask();
    return found !== null;
  };
  const signal = AbortSignal.timeout(timeoutMs);
  await repeatUntil(task, { clock: systemClock, intervalMs: everyMs, signal });
  if (found === null) throw new Error(`not within ${timeoutMs / 1_000} s: ${what}`);
  return found;
}
