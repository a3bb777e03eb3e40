import { z } from 'zod';
import { invalidValue } from '../schemas/validation.ts';

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

/** An integer in a query. */
export function queryInteger({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .transform((text, context) => {
      if (INTEGER.test(text.trim())) return finite(Number(text));
      context.addIssue(
        invalidValue('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
      );
      return z.NEVER;
    })
    .pipe(z.number().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Integers beyond the range of a number are refused by the bounds like any other. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** A finite number in a query. */
export function queryNumber() {
  return z
    .string()
    .transform((text, context) => {
      const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
      if (Number.isFinite(value)) return value;
      context.addIssue(
        Number.isNaN(value)
          ? invalidValue(
              'float_parsing',
              'Input should be a valid number, unable to parse string as a number',
            )
          : invalidValue('finite_number', 'Input should be a finite number'),
      );
      return z.NEVER;
    })
    .meta({ type: 'number' });
}

export function queryBoolean() {
  return z
    .string()
    .transform((text, context) => {
      const word = text.trim().toLowerCase();
      if (TRUE.includes(word)) return true;
      if (FALSE.includes(word)) return false;
      context.addIssue(
        invalidValue('bool_parsing', 'Input should be a valid boolean, unable to interpret input'),
      );
      return z.NEVER;
    })
    .meta({ type: 'boolean' });
}
