import { z } from 'zod';
import { INTEGER_EXPECTED } from './validation.ts';

/** Fields of answers, each with its description and an example for the API document. */
const about = (description: string, example: unknown) =>
  example === undefined ? { description } : { description, examples: [example] };

export const text = (description: string, example?: string) => z.string().meta(about(description, example));
export const decimal = (description: string, example?: number) =>
  z.number().meta(about(description, example));
export const integer = (description: string, example?: number) =>
  z.number().int().meta(about(description, example));

/** An integer of 0 or more. */
export const count = (description: string) => z.number().int().min(0).describe(description);
/** An id or a sequence number. */
export const int64 = (description: string) => z.number().int().meta({ description, format: 'int64' });
/** A time in ISO 8601, UTC with milliseconds. */
export const moment = (description: string) => z.string().meta({ description, format: 'date-time' });
export const momentOrNull = (description: string) =>
  z.string().meta({ format: 'date-time' }).nullable().meta({ description });

/** A signal score. */
export const score = z.number({ error: INTEGER_EXPECTED.msg }).int().min(0).max(100);
