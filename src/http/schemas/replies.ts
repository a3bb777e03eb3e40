import { z } from 'zod';
import { errorSchema, invalidRequestSchema } from '../hooks/errors.ts';

/** What every protected route may answer besides its own. */
export const protectedReplies = { 401: errorSchema, 429: errorSchema, 503: errorSchema };

/** What every route that needs no key may answer besides its own. */
export const publicReplies = { 429: errorSchema, 503: errorSchema };
/** What a route that reads a body may answer besides. */
export const bodyReplies = { 413: errorSchema, 415: errorSchema };

export const invalidReply = { 422: invalidRequestSchema };

/** For a route whose answers bear an `ETag`. */
export const notModifiedReply = { 304: z.undefined().describe('What the caller has is still right.') };

/** What every route of a feature that not all tiers have may answer besides its own. */
export const tierReplies = { 403: errorSchema, ...protectedReplies };
