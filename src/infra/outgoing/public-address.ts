import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Whether an IP address belongs to the public internet. An IPv6 address that embeds an IPv4 address is judged by the
 * embedded one; one that may embed it (ISATAP, NAT64 with a prefix of a network) is not public if that is an internal one.
 * Text that is not an IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  // The library also accepts other spellings of IPv4.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  const inner = carriedIpv4(address);
  if (inner !== null) return isPublicIpv4(inner);
  return address.kind() === 'ipv4'
    ? isPublicIpv4(address)
    : isGlobalUnicast(address) && !mayEmbedInternal(address.toByteArray());
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

/**
 * Byte offsets of an embedded IPv4 address by the length of the prefix, from 32 to 96 (RFC 6052, 2.2). All other bytes
 * behind the prefix are zero; of 96 bits the last four are taken for zero too, as in prefixes that are in use.
 */
const TRANSLATED_AT: readonly (readonly [from: number, offsets: readonly number[]])[] = [
  [4, [4, 5, 6, 7]],
  [5, [5, 6, 7, 9]],
  [6, [6, 7, 9, 10]],
  [7, [7, 9, 10, 11]],
  [8, [9, 10, 11, 12]],
  [8, [12, 13, 14, 15]],
];
/** Interface identifiers of ISATAP, with the u bit 0 and 1, before the IPv4 address (RFC 5214, 6.1). */
const ISATAP = ['0,0,94,254', '2,0,94,254'];
const INTERNAL_RANGES = ['private', 'loopback', 'linkLocal', 'carrierGradeNat'];

function mayEmbedInternal(bytes: number[]): boolean {
  const isIsatap = ISATAP.includes(bytes.slice(8, 12).join());
  if (isIsatap && isInternalIpv4(bytes.slice(12))) return true;
  return TRANSLATED_AT.some(
    ([from, offsets]) =>
      bytes.every((byte, at) => at < from || byte === 0 || offsets.includes(at)) &&
      isInternalIpv4(offsets.map((at) => bytes[at] ?? 0)),
  );
}

/** Reserved ranges are left out: they are found at the end of ordinary addresses, such as 2001:db8::1. */
function isInternalIpv4(bytes: number[]): boolean {
  const address = new ipaddr.IPv4(bytes);
  return INTERNAL_RANGES.includes(address.range()) || address.toString() === AZURE_HOST;
}
