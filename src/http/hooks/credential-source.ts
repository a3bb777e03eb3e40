import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Where a request carries its API key. */
export interface CredentialSource {
  /** Undefined if there is none, or if there are several that differ. */
  keyOf(request: FastifyRequest): string | undefined;
  /** For callers that sent no key. */
  readonly advice: string;
}

const AUTHORIZATION = 'authorization';
/** Runs in linear time on any header: no two parts of it match the same character. */
const BEARER = /^Bearer +(\S+) *$/i;

/** Contract, Authentication 1. */
export const KEY_IN_HEADER: CredentialSource = {
  keyOf: ({ raw }) => BEARER.exec(authorizationOf(raw))?.[1],
  advice: 'Send it in the header Authorization: Bearer <API_KEY>.',
};

/** Contract, Authentication 2: not in a header. */
export const KEY_IN_QUERY: CredentialSource = {
  keyOf({ query }) {
    const [first = '', ...others] = [(query as Record<string, string | string[]>)['api_key'] ?? []].flat();
    return first !== '' && others.every((other) => other === first) ? first : undefined;
  },
  advice: 'Send it in the query parameter api_key.',
};

function authorizationOf({ headers: { authorization = '' }, rawHeaders }: IncomingMessage): string {
  if (authorization === '') return '';
  // Node keeps the first of several headers. Which of them is meant is unknown, so that different ones make no key.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at + 1] !== authorization && isAuthorization(rawHeaders[at] ?? '')) return '';
  }
  return authorization;
}

function isAuthorization(name: string): boolean {
  return name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
}
