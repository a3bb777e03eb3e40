import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Where a request holds its key. */
export interface CredentialSource {
  /** What stands there; empty when nothing does, or two things that differ. The same text is the same key. */
  textOf(request: FastifyRequest): string;
  keyOf(text: string): string | undefined;
  /** For whoever sent none. */
  readonly advice: string;
}

const AUTHORIZATION = 'authorization';
/** Linear: no two parts of it can take the same character, whatever a header holds. */
const BEARER = /^Bearer +(\S+) *$/i;

/** Contract, Authentication 1. */
export const KEY_IN_HEADER: CredentialSource = {
  textOf: ({ raw }) => authorizationOf(raw),
  keyOf: (text) => BEARER.exec(text)?.[1],
  advice: 'Send it in the header Authorization: Bearer <API_KEY>.',
};

/** Contract, Authentication 2: not in a header. */
export const KEY_IN_QUERY: CredentialSource = {
  textOf({ query }) {
    const [first = '', ...others] = [(query as Record<string, string | string[]>)['api_key'] ?? []].flat();
    return others.every((other) => other === first) ? first : '';
  },
  keyOf: (text) => (text === '' ? undefined : text),
  advice: 'Send it in the query parameter api_key.',
};

function authorizationOf({ headers: { authorization = '' }, rawHeaders }: IncomingMessage): string {
  if (authorization === '') return '';
  // Node keeps the first of two headers. Which one is meant is anybody's guess, so the two make no key.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at + 1] !== authorization && isAuthorization(rawHeaders[at] ?? '')) return '';
  }
  return authorization;
}

function isAuthorization(name: string): boolean {
  return name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
}
