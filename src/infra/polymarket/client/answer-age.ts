import { MINUTE_MS } from '../../../core/duration.ts';

/** `max-age` of the CDN in front of the Data API, measured in September and October 2026: what it keeps is no older. */
const KEPT_MS = 5 * MINUTE_MS;
/** The longest age: RFC 9111 caps what overflows at 2^31 seconds. */
const MOST_S = 2 ** 31;

type Header = string | readonly string[] | undefined;

/**
 * How long an answer has been in a cache, in milliseconds: its `Age` (RFC 9111), the largest of several. Without one it
 * comes from the market itself (0), unless `X-Cache` names a hit: that, or an `Age` that cannot be read, is as old as
 * the cache keeps anything. `RefreshHit` is none: the cache asked the market. `Date` minus `Age` is the moment an answer
 * describes; as a span it needs no agreement of two clocks.
 */
export function answerAgeMs(headers: { readonly age?: Header; readonly 'x-cache'?: Header }): number {
  const members = membersOf(headers.age);
  const ages = members.filter((member) => /^\d+$/.test(member));
  if (ages.length > 0) return Math.min(Math.max(...ages.map(Number)), MOST_S) * 1_000;
  const isCached =
    members.length > 0 || membersOf(headers['x-cache']).some((member) => /\bhit\b/i.test(member));
  return isCached ? KEPT_MS : 0;
}

function membersOf(header: Header): readonly string[] {
  if (header === undefined) return [];
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((member) => member.trim());
}
