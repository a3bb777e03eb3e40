/** Whether an IP address, in its usual spelling, is reachable from the public internet. */
export type IsPublicAddress = (address: string) => boolean;

/** Why an address cannot be a target for deliveries. What a name resolves to is checked only when connecting. */
export type WebhookUrlProblem =
  | 'not_a_url'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'internal_name'
  | 'not_public'
  | 'reserved_port';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\/(?!\/)/i;
/** URL parsing removes or rewrites these, so the address would not be the one that its owner reads. */
const TURNED = /[\s\\\p{Cc}]/u;
/**
 * Suffixes of names that only private networks resolve: special-use and withheld ones (RFC 6762, 8375; ICANN), clusters, Consul.
 */
const INTERNAL =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|lan|home\.arpa|corp|home|mail|svc|consul|docker)$/;
/** Other services listen on lower ports, and a webhook would reveal whether one does. */
const FIRST_FREE_PORT = 1_024;
const IPV4 = /^\d+(\.\d+){3}$/;

/**
 * Judges an address (contract: HTTPS only); null: no problem. Without `isPublic`, for development, any host will do, and
 * 127.0.0.1 without TLS.
 */
export function webhookUrlProblem(text: string, isPublic: IsPublicAddress | null): WebhookUrlProblem | null {
  if (!SCHEME.test(text) || TURNED.test(text) || !text.isWellFormed() || !URL.canParse(text))
    return 'not_a_url';
  const { protocol, hostname, port } = new URL(text);
  const isPlain = isPublic === null && protocol === 'http:' && hostname === '127.0.0.1';
  if (protocol !== 'https:' && !isPlain) return 'not_https';
  if (text.includes('#')) return 'has_fragment';
  if (/^[^/?]*@/.test(text.slice(`${protocol}//`.length))) return 'has_credentials';
  if (isPublic === null) return null;
  // `URL` gives the default port of https as an empty text.
  if (port !== '' && Number(port) < FIRST_FREE_PORT) return 'reserved_port';
  return hostProblem(hostname, isPublic);
}

/**
 * Judges the host of a `URL`; null: it may be a public one. The URL standard has brought every spelling of an IPv4 address
 * to four decimal numbers.
 */
export function hostProblem(host: string, isPublic: IsPublicAddress): 'not_public' | 'internal_name' | null {
  if (host.startsWith('[')) return isPublic(host.slice(1, -1)) ? null : 'not_public';
  if (IPV4.test(host)) return isPublic(host) ? null : 'not_public';
  const name = host.replace(/\.+$/, '');
  // A name with a single label is resolved in the resolver's own network.
  const isWhole = name.includes('.') && name.split('.').every((label) => label !== '');
  return INTERNAL.test(name) || !isWhole ? 'internal_name' : null;
}
