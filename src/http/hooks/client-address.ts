import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A proxy may forward any text, which is stored while it is counted. */
const MAX_LENGTH = 45;
/** An address in brackets, with or without a port, or an IPv4 address with a port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;
const ZONE = /%.*$/s;
/** The translated addresses of all IPv4 clients are in one /64 (RFC 6052). */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * The client that an address is counted by, whatever its spelling: an IPv4 address, also one inside an IPv6 address, or the
 * /64 of an IPv6 address, which one host owns (`networkOf` gives its /48). Text that is not an address stands for itself.
 */
export function clientOf(ip: string | undefined): string {
  const text = bareAddress(ip);
  const address = parseAddress(text);
  if (address === null) return text.slice(0, MAX_LENGTH);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12)).toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

export function isLoopback(ip: string | undefined): boolean {
  return parseAddress(bareAddress(ip))?.range() === 'loopback';
}

/** Whether an address is in one of `ranges`: addresses or CIDR ranges, separated by commas. Throws for an invalid range. */
export function createTrust(ranges: string): (ip: string) => boolean {
  const trusted = ranges.split(',').map(parseRange);
  return (ip) => {
    const address = parseAddress(bareAddress(ip));
    return trusted.some(([range, bits]) => address?.kind() === range.kind() && address.match(range, bits));
  };
}

function parseRange(text: string): [range: Address, bits: number] {
  const [range, bits] = ipaddr.parseCIDR(
    text.includes('/') ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`,
  );
  const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [range.toIPv4Address(), bits - 96] : [range, bits];
}

/** Without what some proxies add: quotes, brackets, a port; and without the zone of a link. */
function bareAddress(ip = ''): string {
  return ip.replaceAll('"', '').replace(WITH_PORT, '$1$2').replace(ZONE, '');
}

/** IPv4-mapped addresses are IPv4 addresses; null for other text. */
function parseAddress(text: string): Address | null {
  // The library also accepts other spellings of IPv4.
  if (isIP(text) === 0) return null;
  return ipaddr.process(text);
}
