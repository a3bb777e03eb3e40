import type { z } from 'zod';
import { LogThrottle } from '../../../core/base/async/failure-log.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { DropReason } from '../../../core/trades/source/source.ts';
import type { SourceDeps } from './source-deps.ts';
import type { RawRow } from './text-fields.ts';

export interface BadRow {
  readonly kind: 'bad';
  readonly reason: DropReason;
  /** The invalid field, or the value found; at most 200 characters. */
  readonly detail: string;
}

const EARLIEST = Date.UTC(2020, 0, 1);
const AHEAD_MS = 3_600_000;
const RANGE_REASONS: Readonly<Record<string, DropReason>> = {
  price: 'bad_price',
  size: 'bad_size',
  timestamp: 'bad_time',
  at: 'bad_time',
  close: 'bad_time',
};
const LOG_EVERY_MS = 10_000;

export function badRow(reason: DropReason, detail: string): BadRow {
  return { kind: 'bad', reason, detail: detail.slice(0, 200) };
}

export function badRowOf(raw: RawRow, { issues }: z.core.$ZodError): BadRow {
  return badField(raw, issues[0]?.path ?? []);
}

/** `path`: of the first invalid field. */
export function badField(raw: RawRow, path: readonly PropertyKey[]): BadRow {
  const field = String(path[0] ?? 'row');
  const value = raw[field];
  if (value === undefined || value === '') return badRow('missing_field', field);
  const reason = typeof value === 'number' ? RANGE_REASONS[field] : undefined;
  return badRow(reason ?? 'wrong_type', path.join('.') || 'row');
}

export function millisOf(seconds: number | null | undefined): EpochMs | null {
  return seconds == null ? null : Math.round(seconds * 1_000);
}

/** Whether a row may have this time: none, or not before 2020 and at most an hour ahead of the wall clock. */
export function isPlausibleTime(at: EpochMs | null, now: EpochMs): boolean {
  return at === null || (at >= EARLIEST && at <= now + AHEAD_MS);
}

/** Counts every dropped row. Logs at most one of each reason in 10 s, with the number of those not logged since. */
export function createDropReport({ clock, logger, onDrop }: SourceDeps, source: string) {
  const throttles = new Map<DropReason, LogThrottle>();
  return ({ reason, detail }: BadRow, offset: number): void => {
    onDrop(reason);
    const throttle = throttles.get(reason) ?? new LogThrottle(clock, LOG_EVERY_MS);
    throttles.set(reason, throttle);
    const rows = throttle.take();
    if (rows !== null) logger.warn({ source, reason, detail, offset, before: rows - 1 }, 'row dropped');
  };
}
