import { z } from 'zod';
import { errorSchema, invalidRequestSchema } from '../hooks/errors.ts';

/** Refusals of every protected route. */
export const protectedReplies = { 401: errorSchema, 429: errorSchema, 503: errorSchema };

/** Refusals of every public route. */
export const publicReplies = { 429: errorSchema, 503: errorSchema };
/** Refusals of a route with a body. */
export const bodyReplies = { 413: errorSchema, 415: errorSchema };

export const invalidReply = { 422: invalidRequestSchema };

/** For a route whose answers have an `ETag`. */
export const notModifiedReply = { 304: z.undefined().describe('The body that the caller has is current.') };

/** Refusals of a route that not all tiers may use. */
export const tierReplies = { 403: errorSchema, ...protectedReplies };
