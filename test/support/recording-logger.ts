import type { Logger } from '../../src/core/base/logger.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { throttledLogger } from '../../src/infra/telemetry/throttled-logger.ts';

export interface Line {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: object;
}

export function createRecordingLogger(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: keyof Logger) => (fields: object, message: string) =>
    void lines.push({ level, message, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Writes what is repeated within a minute once, as the service does. */
export function asTheService(logger: Logger): Logger {
  return throttledLogger(logger, { clock: { now: systemClock.monotonic }, explain: (error) => error });
}

/** Logs as pino would write it: errors with what they carry. */
export function recordingLogger(): { readonly logger: Logger; readonly log: string[] } {
  const log: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(JSON.stringify({ level, ...fields, message }, withErrors));
  return {
    log,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
}

function withErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, stack: value.stack, cause: value.cause } : value;
}
