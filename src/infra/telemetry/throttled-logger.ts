import { LRUCache } from 'lru-cache';
import { LogThrottle } from '../../core/base/async/failure-log.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { MINUTE_MS } from '../../core/base/time/duration.ts';

interface ThrottleOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** An error as an operator is shown it, with what to do about it; others as they are. */
  readonly explain: (error: unknown) => unknown;
}

/** Different warnings that are remembered; the least recent ones are forgotten. */
const MOST_KINDS = 1_000;

/**
 * Writes a warning or an error once, then at most once per minute, with the number of its occurrences since the last line
 * as `times`. Lines are equal if only numbers differ in their fields and causes: whatever is repeated needs no limit of its own.
 */
export function throttledLogger(logger: Logger, { clock, explain }: ThrottleOptions): Logger {
  const throttles = new LRUCache<string, LogThrottle>({ max: MOST_KINDS });
  const limited = (level: 'warn' | 'error') => (fields: object, message: string) => {
    const kind = kindOf(level, fields, message);
    const throttle = throttles.get(kind) ?? new LogThrottle(clock, MINUTE_MS);
    throttles.set(kind, throttle);
    const times = throttle.take();
    if (times === null) return;
    logger[level]({ ...explained(fields, explain), ...(times > 1 && { times }) }, message);
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: limited('warn'),
    error: limited('error'),
  };
}

/** Texts of causes hold ports, durations and ids. */
const CAUSES: ReadonlySet<string> = new Set(['err', 'error', 'reason', 'why', 'cause', 'detail']);

function kindOf(level: string, fields: object, message: string): string {
  const texts = Object.entries(fields).map(([name, value]) => {
    const text = value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value);
    if (typeof value === 'number') return name;
    return CAUSES.has(name) ? text?.replace(/\d+/g, '#') : text;
  });
  return [level, message, ...texts].join('\n');
}

/** A sentence that says what to do takes the place of an error and its stack. */
function explained(fields: object, explain: ThrottleOptions['explain']): object {
  if (!('err' in fields)) return fields;
  const { err, ...others } = fields;
  const shown = explain(err);
  return shown === err || !(shown instanceof Error) ? fields : { reason: shown.message, ...others };
}
