/** The longest way to write an address. What a proxy forwards is any text, and is kept while it is counted. */
const MAX_LENGTH = 45;

/** Whom an address counts as: one host has a whole /64 of IPv6, so that its addresses are one. */
export function clientOf(ip: string): string {
  const address = ip.slice(0, MAX_LENGTH);
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const missing = address.includes('::') ? Math.max(0, 8 - groups.length - rest.length) : 0;
  return [...groups, ...new Array<string>(missing).fill('0'), ...rest].slice(0, 4).join(':');
}
