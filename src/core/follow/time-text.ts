import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../base/time/duration.ts';
import type { QuietHours } from './follower.ts';

/** How long something can be muted, in milliseconds. */
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

/** Cities that people type, by zone, where the runtime's table has no such name or an older one. */
const CITIES: Readonly<Record<string, readonly string[]>> = {
  'America/Los_Angeles': ['san francisco', 'seattle', 'las vegas', 'san diego'],
  'America/New_York': ['boston', 'miami', 'washington', 'nyc', 'philadelphia', 'atlanta'],
  'America/Chicago': ['austin', 'houston', 'dallas'],
  'America/Toronto': ['montreal', 'ottawa'],
  'Europe/London': ['edinburgh', 'manchester'],
  'Europe/Berlin': ['munich', 'frankfurt', 'hamburg'],
  'Europe/Madrid': ['barcelona'],
  'Europe/Rome': ['milan'],
  'Europe/Zurich': ['geneva'],
  'Europe/Kyiv': ['kyiv'],
  'Asia/Jerusalem': ['tel aviv'],
  'Asia/Dubai': ['abu dhabi'],
  'Asia/Kolkata': ['kolkata', 'mumbai', 'delhi', 'bangalore'],
  'Asia/Ho_Chi_Minh': ['ho chi minh city', 'hanoi'],
  'Asia/Shanghai': ['beijing', 'shenzhen'],
  'Asia/Tokyo': ['osaka'],
};

const FOUND_MAX = 6;

/**
 * The IANA zones that a text may mean, or only the likeliest if it is clear: a name (`Europe/Paris`), a city (`paris`, `new
 * york`), an offset (`utc+2`, `-5`) or `utc`; for a part of a name, all zones that contain it, at most six. Empty if there is
 * none.
 */
export function zonesNamed(text: string): readonly string[] {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .replace(/,.*$/, '')
    .trim();
  if (name === '') return [];
  const offset = zoneOfOffset(name);
  if (offset !== null) return [offset];
  // Includes names that this runtime's table lists under an older name: `Asia/Kolkata` is `Asia/Calcutta` there.
  const own = name.includes('/') ? zoneNamed(text) : zoneNamed(name.length <= 4 ? name.toUpperCase() : '');
  const zone = own ?? Object.keys(CITIES).find((key) => CITIES[key]?.includes(name));
  if (zone !== undefined) return [zone];
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({
    zone,
    plain: zone.toLowerCase().replaceAll('_', ' '),
  }));
  const exact = zones.find(({ plain }) => plain === name);
  if (exact !== undefined) return [exact.zone];
  const cities = zones.filter(({ plain }) => plain.endsWith(`/${name}`));
  const found =
    cities.length > 0 ? cities : zones.filter(({ plain }) => name.length > 2 && plain.includes(name));
  return found.slice(0, FOUND_MAX).map(({ zone }) => zone);
}

/**
 * The IANA name of a time zone, in whatever case it was written; null if there is none. Offsets do not count, since they have no
 * daylight saving time.
 */
function zoneNamed(text: string): string | null {
  const zone = text.trim();
  if (!/^[a-z]/i.test(zone)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    // Some names resolve to an older one: what the person wrote is kept.
    return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
  } catch {
    return null;
  }
}

/** `Etc/GMT-2` is two hours ahead of UTC: POSIX counts the other way. */
function zoneOfOffset(name: string): string | null {
  if (name === 'utc' || name === 'gmt' || name === 'z') return 'UTC';
  const [, sign, hours] = /^(?:utc|gmt)? ?([+-]) ?(\d{1,2})(?::?00)?$/.exec(name) ?? [];
  const count = Number(hours);
  if (sign === undefined || count > (sign === '+' ? 14 : 12)) return null;
  return count === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${count}`;
}

/** Display name of a zone: `New York`, `UTC+2`, `UTC`. */
export function zoneWords(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(zone) ?? [];
  if (hours !== undefined) return `UTC${sign === '+' ? '-' : '+'}${hours}`;
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** A moment in a zone's local time, `2026-11-27 14:05 New York`; UTC without a zone. */
export function timeIn(zone: string | null, at: EpochMs): string {
  const timeZone = zone ?? 'UTC';
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${clock.format(at)} ${zoneWords(timeZone)}`;
}
