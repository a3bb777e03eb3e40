/** What people read about the bot before they write to it. */
export const BOT_DESCRIPTION =
  'Tipoff watches Polymarket for bets that look informed: a new wallet with a big bet, or several of them together.\n\n' +
  'Read the newest alerts and why each was raised, follow wallets and markets of your choice, and get an API key. ' +
  'It is free to start. An alert is neither proof nor advice.';
/** The same in one line, at most 120 characters. */
export const SHORT_BOT_DESCRIPTION =
  'Tipoff: alerts about bets on Polymarket that look informed. Follow wallets and markets, or get an API key.';

/** The description to set in place of the current one; null for the same, and for one that the operator wrote. */
export function descriptionToSet(current: string | undefined, wanted: string): string | null {
  const isOwn = current === undefined || current === '' || current.startsWith('Tipoff');
  return isOwn && current !== wanted ? wanted : null;
}
