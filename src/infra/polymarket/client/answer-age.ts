/** The longest age: RFC 9111 caps what overflows at 2^31 seconds. */
const MOST_S = 2 ** 31;

/**
 * How long an answer has been in a cache, in milliseconds: its `Age` (RFC 9111). 0 without one, for it then comes from
 * the market itself. Of several the largest counts; with an `Age` that cannot be read an answer may be as old as can be.
 * `Date` minus `Age` is the moment it describes; as a span it needs no agreement of two clocks.
 */
export function answerAgeMs(header: string | readonly string[] | undefined): number {
  if (header === undefined) return 0;
  const members = [header].flat().join(',').split(',');
  const ages = members.map((member) => member.trim()).filter((member) => /^\d+$/.test(member));
  return (ages.length === 0 ? MOST_S : Math.min(Math.max(...ages.map(Number)), MOST_S)) * 1_000;
}
