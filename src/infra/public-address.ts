import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Whether an IP address belongs to the public internet. An IPv6 address that embeds an IPv4 address is judged by the
 * embedded one. Text that is not an IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  // The library also accepts other spellings of IPv4.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  const inner = carriedIpv4(address);
  if (inner !== null) return isPublicIpv4(inner);
  return address.kind() === 'ipv4' ? isPublicIpv4(address) : isGlobalUnicast(address);
}

/** Azure platform services of the host (Azure documentation, "What is IP address 168.63.129.16?"). */
const AZURE_HOST = '168.63.129.16';

function isPublicIpv4(address: Address): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

/** Byte offset of the embedded IPv4 address, by kind of IPv6 address. */
const CARRIED_AT: Readonly<Record<string, number>> = { ipv4Mapped: 12, '6to4': 2, wellKnownNat64: 12 };

function carriedIpv4(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4') return null;
  const at = CARRIED_AT[address.match(NAT64) ? 'wellKnownNat64' : address.range()];
  return at === undefined ? null : new ipaddr.IPv4(address.toByteArray().slice(at, at + 4));
}

/** RFC 6052. The neighbouring range 64:ff9b:1::/48 is for local use (RFC 8215). */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/** IANA allocates global addresses from 2000::/3 only; the rest of "unicast" contains, for example, ::a.b.c.d. */
function isGlobalUnicast(address: Address): boolean {
  return address.range() === 'unicast' && ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}
