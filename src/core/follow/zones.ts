import type { EpochMs } from '../base/time/duration.ts';

/** Cities that people name and the table of zones does not have. */
const CITIES: Readonly<Record<string, string>> = {
  ...{
    'san francisco': 'America/Los_Angeles',
    seattle: 'America/Los_Angeles',
    'las vegas': 'America/Los_Angeles',
  },
  ...{
    boston: 'America/New_York',
    miami: 'America/New_York',
    washington: 'America/New_York',
    nyc: 'America/New_York',
  },
  ...{
    austin: 'America/Chicago',
    houston: 'America/Chicago',
    dallas: 'America/Chicago',
    montreal: 'America/Toronto',
  },
  ...{
    munich: 'Europe/Berlin',
    frankfurt: 'Europe/Berlin',
    hamburg: 'Europe/Berlin',
    barcelona: 'Europe/Madrid',
  },
  ...{
    geneva: 'Europe/Zurich',
    milan: 'Europe/Rome',
    edinburgh: 'Europe/London',
    manchester: 'Europe/London',
  },
  ...{ mumbai: 'Asia/Kolkata', delhi: 'Asia/Kolkata', bangalore: 'Asia/Kolkata', beijing: 'Asia/Shanghai' },
  ...{
    'abu dhabi': 'Asia/Dubai',
    'tel aviv': 'Asia/Jerusalem',
    hanoi: 'Asia/Ho_Chi_Minh',
    osaka: 'Asia/Tokyo',
  },
};

const FOUND_MAX = 6;

/**
 * The IANA zones that a text may mean, the likeliest alone if it is one: a name (`Europe/Paris`), a city (`paris`, `new york`), an offset
 * (`utc+2`, `-5`) or `utc`; of a part of a name all that have it, at most six. Empty if there is none.
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
  const city = Object.hasOwn(CITIES, name) ? CITIES[name] : undefined;
  if (city !== undefined) return [city];
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

/** `Etc/GMT-2` is two hours ahead of UTC: POSIX counts the other way. */
function zoneOfOffset(name: string): string | null {
  if (name === 'utc' || name === 'gmt' || name === 'z') return 'UTC';
  const [, sign, hours] = /^(?:utc|gmt)? ?([+-]) ?(\d{1,2})(?::?00)?$/.exec(name) ?? [];
  const count = Number(hours);
  if (sign === undefined || count > (sign === '+' ? 14 : 12)) return null;
  return count === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${count}`;
}

/** A zone as people read it: `New York`, `UTC+2`, `UTC`. */
export function zoneWords(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(zone) ?? [];
  if (hours !== undefined) return `UTC${sign === '+' ? '-' : '+'}${hours}`;
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** A moment as clocks show it in a zone, `2026-11-27 14:05 New York`; without a zone in UTC. */
export function timeIn(zone: string | null, at: EpochMs): string {
  const timeZone = zone ?? 'UTC';
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${clock.format(at)} ${zoneWords(timeZone)}`;
}
