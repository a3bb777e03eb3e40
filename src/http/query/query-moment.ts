import { z } from 'zod';
import type { EpochMs } from '../../core/trade.ts';
import { invalidValue } from '../schemas/validation.ts';

/** The contract's two formats, which are UTC, and ISO 8601 with a zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/i;
const SECOND_END_MS = 999;

/**
 * A time in a query. Alerts show whole seconds, so `until` without a fraction is the end of its second: it includes the alerts
 * shown with that time.
 */
export function queryMoment(bound: 'since' | 'until') {
  return z
    .string()
    .transform((text, context): EpochMs => {
      // An unescaped + of a time zone arrives as a space.
      const [, date, time, fraction, zone] =
        MOMENT.exec(text.trim().replace(/ (?=\d\d:\d\d$)/, plusOfZone)) ?? [];
      const at = Date.parse(`${date}T${time}${fraction?.slice(0, 4) ?? ''}${zone?.toUpperCase() ?? 'Z'}`);
      if (!Number.isNaN(at) && isOfCalendar(date ?? '')) {
        return bound === 'until' && fraction === undefined ? at + SECOND_END_MS : at;
      }
      context.addIssue(
        invalidValue(
          'datetime_parsing',
          'Input should be a valid datetime: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601 with a zone',
        ),
      );
      return z.NEVER;
    })
    .meta({ type: 'string' });
}

function plusOfZone(space: string, offset: number): string {
  return offset > 'YYYY-MM-DD'.length ? '+' : space;
}

/** Date.parse accepts the 31st of any month. */
function isOfCalendar(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
