import { z } from 'zod';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { invalidValue } from '../schemas/validation.ts';

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const TRUE = /^(?:true|1|yes|on)$/i;
const FALSE = /^(?:false|0|no|off)$/i;

/** The address of a wallet, in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
export const ADDRESS_EXPECTED = 'Input should be a wallet address: 0x and 40 hexadecimal digits';

const INT64_MAX = 2n ** 63n - 1n;
const NOT_INTEGER = invalidValue(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
);

function queryValue<Value>(
  read: (text: string) => Value | undefined,
  problem: ReturnType<typeof invalidValue>,
) {
  return z.string().transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue(problem);
    return z.NEVER;
  });
}

/** An integer in a query. A `max` of `Number.MAX_SAFE_INTEGER` stands for an id: larger ones of 64 bits count as that. */
export function queryInteger({ min, max }: { min: number; max: number }) {
  const isId = max === Number.MAX_SAFE_INTEGER;
  const read = (text: string) => {
    if (!INTEGER.test(text)) return undefined;
    return isId && BigInt(text) <= INT64_MAX ? Math.min(Number(text), max) : finite(Number(text));
  };
  return queryValue(read, NOT_INTEGER)
    .pipe(z.number().min(min).max(max))
    .meta({ type: 'integer', minimum: min, ...(isId ? { format: 'int64' } : { maximum: max }) });
}

export function queryLimit(description: string, { max, usual }: { max: number; usual: number }) {
  return queryInteger({ min: 1, max })
    .default(usual)
    .meta({ description, examples: [usual] });
}

export function integerText() {
  return z.string().superRefine((text, context) => {
    if (!INTEGER.test(text)) context.addIssue(NOT_INTEGER);
  });
}

/** Integers beyond the range of a number are refused by the bounds like any other. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

export function queryNumber() {
  return queryValue(
    (text) => (NUMBER.test(text) ? Number(text) : undefined),
    invalidValue('float_parsing', 'Input should be a valid number, unable to parse string as a number'),
  )
    .refine(Number.isFinite, { error: 'Input should be a finite number', params: { type: 'finite_number' } })
    .meta({ type: 'number' });
}

export function queryBoolean() {
  return queryValue(
    (text) => TRUE.test(text) || (FALSE.test(text) ? false : undefined),
    invalidValue('bool_parsing', 'Input should be a valid boolean, unable to interpret input'),
  ).meta({ type: 'boolean' });
}

const LENGTH = 200;

/** Comma-separated categories, without duplicates, in the given order; an empty list for a blank text. */
export function categoryList() {
  return wordList(CATEGORIES).meta({ type: 'string', examples: ['politics,crypto'] });
}

export function wordList<Word extends string>(words: readonly Word[]) {
  const isWord = (name: string): name is Word => words.some((word) => word === name);
  const name = ` *(${words.join('|')}) *`;
  const inQuotes = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
  return z
    .string()
    .max(LENGTH, { abort: true })
    .transform((text, context): Word[] => {
      if (text.trim() === '') return [];
      const names = [...new Set(text.split(',').map((name) => name.trim()))];
      const wrong = names.filter((name) => !isWord(name));
      if (wrong.length === 0) return names.filter(isWord);
      const wanted = `Input should be ${inQuotes(words)}, with commas between them`;
      context.addIssue(invalidValue('enum', `${wanted}, got ${inQuotes(wrong)}`));
      return z.NEVER;
    })
    .meta({ type: 'string', pattern: `^(${name}(,${name})*| *)$` });
}

/** The contract's two formats, which are UTC, and ISO 8601 with a zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/i;
const SECOND_END_MS = 999;

const DAYS = [
  '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])',
  '[0-9]{4}-(0[13-9]|1[0-2])-(29|30)',
  '[0-9]{4}-(0[13578]|1[02])-31',
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
].join('|');
const HOUR_MINUTE = '([01][0-9]|2[0-3]):[0-5][0-9]';
const MOMENT_PATTERN = `^(${DAYS})[T ]${HOUR_MINUTE}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${HOUR_MINUTE})?$`;

/** `until` without a fraction is the end of its second: alerts are shown by whole seconds. */
export function queryMoment(bound: 'since' | 'until') {
  const read = (text: string): EpochMs | undefined => {
    // An unescaped + of a time zone arrives as a space.
    const [, date, time, fraction, zone] = MOMENT.exec(text.replace(/ (?=\d\d:\d\d$)/, plusOfZone)) ?? [];
    const at = Date.parse(`${date}T${time}${fraction?.slice(0, 4) ?? ''}${zone?.toUpperCase() ?? 'Z'}`);
    if (Number.isNaN(at) || !isOfCalendar(date ?? '')) return undefined;
    return bound === 'until' && fraction === undefined ? at + SECOND_END_MS : at;
  };
  return queryValue(
    read,
    invalidValue(
      'datetime_parsing',
      'Input should be a valid datetime: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601 with a zone',
    ),
  ).meta({ type: 'string', pattern: MOMENT_PATTERN });
}

function plusOfZone(space: string, offset: number): string {
  return offset > 'YYYY-MM-DD'.length ? '+' : space;
}

/** Date.parse accepts the 31st of any month. */
function isOfCalendar(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
