import { z } from 'zod';
import { ERROR_CODES } from './error-codes.ts';

export const errorCodeSchema = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description:
    'What went wrong, for programs. `/docs/errors` explains each code. Later versions may add codes.',
});

/** The body of every refusal except 422. A route declares those of its handler; the others are added to the API document. */
export const errorSchema = z
  .object({ detail: z.string().describe('The problem, in words.'), code: errorCodeSchema })
  .meta({ id: 'Error', description: 'A refusal.' });

/** For a route whose answers have an `ETag`. */
export const notModifiedReply = { 304: z.undefined().describe('The body that the caller has is current.') };
