import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';

const HIDDEN = '[redacted]';

/** Secrets anywhere in a line: in a message, a URL, a header, or the text or stack of an error. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/sk_live_[\w-]+/g, `sk_live_${HIDDEN}`],
  [/whsec_[\w+/=-]+/g, `whsec_${HIDDEN}`],
  [/(Bearer\s+)[^\s"\\,]+/gi, `$1${HIDDEN}`],
  [/((?:api_key|token|secret|password)=)[^&\s"\\]+/gi, `$1${HIDDEN}`],
  [/("(?:authorization|api_?key|\w*token|secret(?:_?key)?|password)":")(?:[^"\\]|\\.)*/gi, `$1${HIDDEN}`],
  [/(mongodb(?:\+srv)?:\/\/)[^\s"]+@/gi, `$1${HIDDEN}@`],
  // Tokens of bots: Telegram's, then Discord's.
  [/(?<!\d)\d{6,}:[\w-]{30,}/g, HIDDEN],
  [/(?<![\w-])[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, HIDDEN],
];

/** Writes one JSON object per line, by default to standard output. Secrets are redacted. */
export function createLogger(level: Level | 'silent', destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redacted },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function redacted(line: string): string {
  return SECRETS.reduce((text, [secret, shown]) => text.replace(secret, shown), line);
}
