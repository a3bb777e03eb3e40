import type { EpochMs } from '../../../../core/base/time/duration.ts';

/** The year 5138 in seconds; larger numbers are milliseconds. */
const MOST_SECONDS = 1e11;

/** A time as the market writes it: epoch seconds, milliseconds, or either as text. Null when it is invalid. */
export function upstreamTime(value: unknown): EpochMs | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  return Math.round(number > MOST_SECONDS ? number : number * 1_000);
}
