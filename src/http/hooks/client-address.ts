/** The longest way to write an address. What a proxy forwards is any text, and is kept while it is counted. */
const MAX_LENGTH = 45;
const WITH_PORT = MAX_LENGTH + '[]:65535'.length;
const PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]*)\]):\d+$/;

/** Whom an address counts as: one host has a whole /64 of IPv6, so that its addresses are one. */
export function clientOf(ip: string | undefined): string {
  // Who hung up has no address any more. Some proxies forward the port as well.
  const address = (ip ?? '').slice(0, WITH_PORT).replace(PORT, '$1$2').slice(0, MAX_LENGTH);
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const missing = address.includes('::') ? Math.max(0, 8 - groups.length - rest.length) : 0;
  return [...groups, ...new Array<string>(missing).fill('0'), ...rest].slice(0, 4).join(':');
}
