import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';

/** In code points. */
const LONGEST = 300;
const CONTROLS = /\p{Cc}+/gu;
const WORD_BREAK = /[\s\u0085]/u;
/** Bidirectional control characters, and unpaired surrogates. */
const REMOVED = /[\u202A-\u202E\u2066-\u2069\p{Cs}]/gu;
const UNCLEAN = new RegExp(`${CONTROLS.source}|${REMOVED.source}`, 'u');

/** Removes what steers a terminal or turns text, and truncates to 300 code points. */
export function cleanText(text: string): string {
  if (text.length <= LONGEST && !UNCLEAN.test(text)) return text;
  const cleaned = text
    .replace(REMOVED, '')
    .replace(CONTROLS, (controls) => (WORD_BREAK.test(controls) ? ' ' : ''));
  // 300 code points are at most 600 code units.
  return [...cleaned.slice(0, 2 * LONGEST)].slice(0, LONGEST).join('');
}

export const writtenText = z.string().overwrite(cleanText);

/** Third-party text that is optional in a row. Null where it is absent, empty or not a string, so that the row stays valid. */
export const optionalText = z
  .string()
  .transform((text) => cleanText(text) || null)
  .nullable()
  .catch(null);

const ID = /^[\x21-\x7E]{1,100}$/;

/** An id in a row: 1 to 100 printable ASCII characters, not necessarily hexadecimal. */
export const idSchema = z.string().refine(isId);

/** Whether it is one of `idSchema`. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** A market's id in lower case; Gamma's 31 bytes of Protocol V2 are padded to 32 on the right. */
export function conditionIdOf(text: string): string {
  const id = text.toLowerCase();
  return id.length === 64 && /^0x[0-9a-f]{62}$/.test(id) ? `${id}00` : id;
}

/** Whether the market can be requested by this id: one invalid id makes the market refuse the whole request. */
export function isConditionId(id: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(id);
}

export type RawRow = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is RawRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for invalid JSON: no JSON value is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** An ISO time, also as Gamma's `2025-12-04 13:33:17+00`, UTC without a zone; null when invalid. */
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
