import type { EpochMs } from '../../core/trade.ts';

const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * The moment an ISO text names, also in Gamma's own form `2025-12-04 13:33:17+00`; null when it names none. Without
 * a zone it is UTC, wherever the service runs.
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
