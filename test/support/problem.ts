import { expect } from 'vitest';

/** The body of a 422 that names one problem, in whatever words. */
export const problem = (loc: readonly string[], type: string) => ({
  detail: [{ loc, msg: expect.stringMatching(/\w/), type }],
  code: 'invalid_request',
});
