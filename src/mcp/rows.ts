import { z } from 'zod';
import { queryInteger, queryLimit } from '../http/query/query-values.ts';
import { alertItemSchema, IN_DETAILS } from '../http/views/alert-view.ts';

export const MAX_ROWS = 20;
const USUAL_ROWS = 10;

/** The parameters of every tool with a list. */
export const pageInput = {
  limit: queryLimit('Maximum number of rows.', { max: MAX_ROWS, usual: USUAL_ROWS }),
  cursor: queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .meta({ description: '`next_cursor` of the answer before, for older rows.' }),
};

/** Where `pageInput` goes on. */
export const nextCursor = z
  .number()
  .int()
  .nullable()
  .describe('`cursor` of the older rows; null when there are none.');

/** An alert in a list: the short form of REST. */
export const rowSchema = alertItemSchema.omit(IN_DETAILS);
