import { UserError } from '../../core/base/user-error.ts';

const USAGE_ERROR = 2;
const FAULT = 1;

export interface ExitReport {
  readonly text: string;
  readonly code: 1 | 2;
  readonly isExpected: boolean;
}

/** 2 for what must be changed first, 1 for what may pass (`isOutage`) and for faults. Only a fault has a stack. */
export function exitReport(error: unknown, isOutage: (error: Error) => boolean): ExitReport {
  if (error instanceof UserError) return { text: error.message, code: USAGE_ERROR, isExpected: true };
  if (error instanceof Error && isOutage(error))
    return { text: error.message, code: FAULT, isExpected: true };
  return { text: String((error as Error).stack ?? error), code: FAULT, isExpected: false };
}

const LOOK_EVERY_MS = 500;

/** Calls back when the parent has ended: npm's shell passes no SIGTERM on. */
export function onParentEnd(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
