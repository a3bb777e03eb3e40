import { errorSchema, invalidRequestSchema } from './errors.ts';

/** What every protected route may answer besides its own. */
export const protectedReplies = { 401: errorSchema, 429: errorSchema, 503: errorSchema };

export const invalidReply = { 422: invalidRequestSchema };
