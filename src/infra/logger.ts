import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';

const HIDDEN = '[redacted]';

/** Secrets wherever they stand in a line: in a message, an address, a header, an error's text or stack. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/sk_live_[\w-]+/g, `sk_live_${HIDDEN}`],
  [/whsec_[\w+/=-]+/g, `whsec_${HIDDEN}`],
  [/(Bearer\s+)[^\s"\\,]+/gi, `$1${HIDDEN}`],
  [/((?:api_key|token|secret|password)=)[^&\s"\\]+/gi, `$1${HIDDEN}`],
  [/("(?:authorization|api_?key|\w*token|secret(?:_?key)?|password)":")(?:[^"\\]|\\.)*/gi, `$1${HIDDEN}`],
  [/(mongodb(?:\+srv)?:\/\/)[^\s"]+@/gi, `$1${HIDDEN}@`],
  [/(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}/g, HIDDEN],
  [/[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g, HIDDEN],
];

/** One JSON object a line, on standard output unless told otherwise. */
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
