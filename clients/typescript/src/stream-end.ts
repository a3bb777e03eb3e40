import { StreamEndedError } from './errors.ts';
import { CLOSE_CODES } from './generated/tables.ts';

interface CloseCode {
  readonly meaning: string;
  readonly isWorthRetrying: boolean;
}

const KEY_ENDED = 4401;
const TIER_LACKS_STREAM = 4403;

/** Why there must be no further connection after this close code; null if there may be. `tier`: as last connected. `detail`: the reason that the server sent. */
export function streamEndOf(code: number, tier: string | null, detail = ''): StreamEndedError | null {
  const known: CloseCode | undefined = (CLOSE_CODES as Readonly<Record<number, CloseCode>>)[code];
  const isFinal = known === undefined ? code >= 4400 && code <= 4499 : !known.isWorthRetrying;
  if (!isFinal) return null;
  const words = detail || (known?.meaning ?? 'The service refuses this client.');
  if (code === KEY_ENDED) return new StreamEndedError(code, 'key_ended', words, detail);
  if (code !== TIER_LACKS_STREAM) return new StreamEndedError(code, 'refused', words, detail);
  if (tier !== 'pro') return new StreamEndedError(code, 'tier_lacks_stream', words, detail);
  const ofTrial = 'The Pro trial of the key has ended. Its tier is Free now, which has no stream.';
  return new StreamEndedError(code, 'trial_ended', ofTrial, detail);
}
