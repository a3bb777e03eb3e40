/**
 * Normalises a market's id: lower case, 32 bytes. Ids of Polymarket Protocol V2 have 31 bytes in Gamma and are padded on the
 * right ("the same values right-padded with zero bytes", Onchain Position Data of the
 * market's documentation), as the Data API, the CLOB and the streams have it.
 */
export function conditionIdOf(text: string): string {
  const id = text.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(id) ? `${id}00` : id;
}

/** Whether the market can be requested by this id: one invalid id makes the market refuse the whole request. */
export function isConditionId(id: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(id);
}
