import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Accepted ids of clients: they are written to logs and to a header. */
const GIVEN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Request ids, unique among processes. A valid id from the client is kept. */
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
