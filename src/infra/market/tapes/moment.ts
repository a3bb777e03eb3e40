import type { EpochMs } from '../../../core/base/time/duration.ts';

const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Parses an ISO time, also in Gamma's form `2025-12-04 13:33:17+00`; null when it is invalid. Without a zone it is UTC,
 * whatever the host's zone.
 */
export function parseMoment(text: string): EpochMs | null {
  const [, day, time = '00:00', zone = 'Z'] = FORM.exec(text) ?? [];
  if (day === undefined) return null;
  const moment = Date.parse(`${day}T${time}${fullZone(zone)}`);
  return Number.isNaN(moment) ? null : moment;
}

function fullZone(zone: string): string {
  if (zone === 'Z') return zone;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
