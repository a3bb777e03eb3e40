import type { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { DropReason } from '../../../core/trades/source/source.ts';
import type { RawRow } from './text-fields.ts';

/** An invalid row. */
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

export function badRow(reason: DropReason, detail: string): BadRow {
  return { kind: 'bad', reason, detail: detail.slice(0, 200) };
}

/** Drop reason of the first issue that a schema found. */
export function refusalOf(raw: RawRow, { issues }: z.core.$ZodError): BadRow {
  const path = issues[0]?.path ?? [];
  const field = String(path[0] ?? 'row');
  const value = raw[field];
  if (value === undefined || value === '') return badRow('missing_field', field);
  const reason = typeof value === 'number' ? RANGE_REASONS[field] : undefined;
  return badRow(reason ?? 'wrong_type', path.join('.') || 'row');
}

/** Whether a trade may have this time: not before 2020, and at most an hour ahead of the wall clock. */
export function isPlausibleTime(at: EpochMs, now: EpochMs): boolean {
  return at >= EARLIEST && at <= now + AHEAD_MS;
}
