import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time/duration.ts';
import type { QuietHours } from './follower.ts';

/** How long something can be muted, milliseconds. */
export const MUTE_MAX_MS = 30 * DAY_MS;

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** `15m`, `1h`, `24h`, `7d`, `2w` in milliseconds, from a minute to 30 days; null for other texts. */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] =
    /^(\d{1,5}) ?(m|h|d|w)(?:in|ins|inutes?|rs?|ours?|ays?|eeks?)?$/i.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return ms >= MINUTE_MS && ms <= MUTE_MAX_MS ? ms : null;
}

/** `23-7`, `23:00 – 07:00`, `11pm-7am`: whole hours that differ; null for other texts. */
export function parseQuietHours(text: string): QuietHours | null {
  const [from, to, ...more] = text
    .toLowerCase()
    .split(/\s*(?:-|–|—|\bto\b|\buntil\b)\s*/)
    .map(hourOf);
  if (from === undefined || to === undefined || from === null || to === null || more.length > 0) return null;
  return from === to ? null : { from, to };
}

function hourOf(text: string): number | null {
  const [, digits = '', half] = /^(\d{1,2})(?:[:.]00)? ?(am|pm)?(?: ?h)?$/.exec(text.trim()) ?? [];
  const hour = digits === '' ? Number.NaN : Number(digits);
  if (half !== undefined) return hour >= 1 && hour <= 12 ? (hour % 12) + (half === 'pm' ? 12 : 0) : null;
  return hour <= 24 ? hour % 24 : null;
}

/** `23:00 to 07:00`. */
export function quietWords({ from, to }: QuietHours): string {
  return [from, to].map((hour) => `${String(hour).padStart(2, '0')}:00`).join(' to ');
}
