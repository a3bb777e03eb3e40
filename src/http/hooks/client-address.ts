/** Length of the longest address. A proxy may forward any text, which is stored while it is counted. */
const MAX_LENGTH = 45;
const WITH_PORT = MAX_LENGTH + '[]:65535'.length;
const PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]*)\]):\d+$/;

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export function isLoopback(address: string | undefined): boolean {
  return LOOPBACK.test(address ?? '');
}

/** The address that a client is counted by. IPv6 addresses are cut to their /64, which one host owns; their /48 is counted by `networkOf`. */
export function clientOf(ip: string | undefined): string {
  // A closed connection has no address. Some proxies forward the port as well.
  const address = (ip ?? '').slice(0, WITH_PORT).replace(PORT, '$1$2').slice(0, MAX_LENGTH);
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const missing = address.includes('::') ? Math.max(0, 8 - groups.length - rest.length) : 0;
  return [...groups, ...new Array<string>(missing).fill('0'), ...rest].slice(0, 4).join(':');
}
