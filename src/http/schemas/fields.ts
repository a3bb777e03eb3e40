import { type ZodRawShape, type ZodType, z } from 'zod';
import { INTEGER_EXPECTED } from './validation.ts';

export function component<Shape extends ZodRawShape>(
  ...[id, description, ...rest]:
    | [id: string, description: string, shape: Shape]
    | [id: string, description: string, example: unknown, shape: Shape]
) {
  const [example, shape] = rest.length === 1 ? [undefined, rest[0]] : rest;
  return z.object(shape).meta({ id, ...about(description, example) });
}

export const text = (description: string, example?: string) => z.string().meta(about(description, example));
export const decimal = (description: string) => z.number().describe(description);
export const integer = (description: string, example?: number) =>
  z.number().int().meta(about(description, example));
export const flag = (description: string) => z.boolean().describe(description);
export const listOf = <Item extends ZodType>(item: Item, description: string) =>
  z.array(item).describe(description);
export const textOrNull = (description: string) => orNull(z.string(), description);
export const decimalOrNull = (description: string) => orNull(z.number(), description);
export const flagOrNull = (description: string) => orNull(z.boolean(), description);
export const orNull = <Value extends ZodType>(value: Value, description: string) =>
  value.nullable().describe(description);

export const count = (description: string) => z.number().int().min(0).describe(description);
export const int64 = (description: string) => z.number().int().meta({ description, format: 'int64' });
export const int64OrNull = (description: string) =>
  z.number().int().nullable().meta({ description, format: 'int64' });
/** How each new field states a time. */
const MOMENT = {
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};
/** A time in the contract's format, and in fields like those that have it. */
const TIMESTAMP = { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' };

/** ISO 8601 with milliseconds, UTC. */
export const moment = (description: string) => z.string().meta({ description, ...MOMENT });
export const momentOrNull = (description: string) => orNull(z.string().meta(MOMENT), description);
/** The description ends without a full stop: the format follows it. */
export const timestamp = (description: string) =>
  z.string().meta({ description: `${description}: ${TIMESTAMP_WORDS}.`, ...TIMESTAMP });
export const timestampOrNull = (description: string, otherwise: string) =>
  orNull(z.string().meta(TIMESTAMP), `${description}: ${TIMESTAMP_WORDS}; ${otherwise}.`);
const TIMESTAMP_WORDS = '`YYYY-MM-DD HH:MM:SS`, UTC';

export const score = z.number({ error: INTEGER_EXPECTED.msg }).int().min(0).max(100);

export const parameter = <Value extends ZodType>(value: Value, description: string, example: unknown) =>
  value.optional().meta(about(description, example));

function about(description: string, example: unknown) {
  return example === undefined ? { description } : { description, examples: [example] };
}
