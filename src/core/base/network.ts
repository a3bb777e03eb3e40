/** The limit of an IPv6 network (/48), as a multiple of the limit of one of its addresses (/64). */
export const NETWORK_SHARE = 8;

/** An IPv6 address cut to its /64, by which clients are counted; may follow the prefix of a subject. */
const IPV6_CLIENT = /^((?:address:)?[\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):[\da-f]{1,4}$/i;

/** The /48 of an IPv6 client, which is counted by its /64; one site may own 65,536 of these. Null for other clients. */
export function networkOf(client: string): string | null {
  const prefix = IPV6_CLIENT.exec(client)?.[1];
  return prefix === undefined ? null : `${prefix}::/48`;
}

/** What a client is counted as, each with its limit: the client itself, and its network. */
export function countedAs(
  client: string,
  limit: number,
): readonly (readonly [subject: string, limit: number])[] {
  const network = networkOf(client);
  return network === null
    ? [[client, limit]]
    : [
        [client, limit],
        [network, limit * NETWORK_SHARE],
      ];
}
