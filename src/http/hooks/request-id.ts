import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller may name its request: it ends up in logs and in a header. */
const GIVEN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Ids that no other process gives out; a sensible one of the caller's own is kept. */
export function createRequestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && GIVEN_ID.test(given) && !given.startsWith('sk_')) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
