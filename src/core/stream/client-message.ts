/** A JSON ping is short; what is longer is none. */
const PING_LENGTH = 1_000;

/** Whether a text message is a ping: the text `ping` of the contract, or `{"type":"ping"}`. */
export function isPing(text: string): boolean {
  if (text.length > PING_LENGTH) return false;
  const trimmed = text.trim();
  return trimmed === 'ping' || (trimmed.startsWith('{') && typeOf(trimmed) === 'ping');
}

function typeOf(json: string): unknown {
  try {
    return (JSON.parse(json) as { type?: unknown }).type;
  } catch {
    return undefined;
  }
}
