import type { EpochMs } from '../../core/trade.ts';

/** Seconds until the year 5138; what is above counts milliseconds. */
const MOST_SECONDS = 1e11;

/** A moment as the market writes it: epoch seconds, milliseconds, or either as text. Null for what is no moment. */
export function upstreamTime(value: unknown): EpochMs | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  return Math.round(number > MOST_SECONDS ? number : number * 1_000);
}
