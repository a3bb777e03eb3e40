/**
 * A market's id as it is written everywhere inside: in lower case and of 32 bytes. One of Polymarket Protocol V2 has 31
 * bytes in Gamma and is padded on the right ("the same values right-padded with zero bytes", Onchain Position Data of the
 * market's documentation), as the Data API, the CLOB and the streams have it.
 */
export function conditionIdOf(text: string): string {
  const id = text.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(id) ? `${id}00` : id;
}

/** Whether it can be asked for: a request for many is refused for one that is none. */
export function isConditionId(id: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(id);
}
