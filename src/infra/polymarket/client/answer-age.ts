/**
 * How long an answer has been in a cache, in milliseconds: its `Age` (RFC 9111). 0 without one, for it then comes from
 * the market itself. `Date` minus `Age` is the moment it describes; as a span it needs no agreement of two clocks.
 */
export function answerAgeMs(header: string | readonly string[] | undefined): number {
  const text = typeof header === 'string' ? header.trim() : '';
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : 0;
}
