import { type RepeatOptions, repeat } from './repeat.ts';

/** As `repeat`; without a signal only the task ends the loop. */
export interface RepeatUntilOptions extends Omit<RepeatOptions, 'signal'> {
  readonly signal?: AbortSignal;
}

/** Runs the task immediately and then after each pause, until it returns true or the signal aborts. */
export async function repeatUntil(
  task: () => Promise<boolean> | boolean,
  { signal, ...options }: RepeatUntilOptions,
): Promise<void> {
  const done = new AbortController();
  const ended = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal]);
  const attempt = async () => {
    if (await task()) done.abort();
  };
  await repeat(attempt, { ...options, signal: ended });
}
