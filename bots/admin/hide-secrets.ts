/** Keys beyond their lookup part; tokens of Telegram and Discord, secrets of webhooks. */
const KEYS = /(sk_live_[\w-]{10})[\w-]+/g;
const TOKENS = [
  /(?<!\d)\d{6,12}:[\w-]{30,}/g,
  /(?<![\w-])[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}/g,
  /whsec_[\w+/=-]+/g,
];

/** The text without secrets: keys are cut to their lookup part, tokens and webhook secrets are replaced. */
export function hideSecrets(text: string): string {
  return TOKENS.reduce((hidden, token) => hidden.replace(token, '[hidden]'), text.replace(KEYS, '$1'));
}
