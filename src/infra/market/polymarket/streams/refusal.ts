import { cleanText, isObject, parseJson } from '../../tapes/text-fields.ts';

const REASON_MAX = 200;
/** A sentence such as `INVALID OPERATION`, not a part of a JSON text. */
const SENTENCE = /^(?!PONG$)[a-z][\w\s.,:;'"()/-]{3,}$/i;

/** What the market says in a frame that refuses a subscription, at most 200 characters; null for any other frame. */
export function refusalIn(text: string): string | null {
  const frame = parseJson(text);
  if (frame === undefined) return SENTENCE.test(text) ? reason(text) : null;
  if (!isObject(frame) || 'payload' in frame) return null;
  const { statusCode, error, body, type, event_type: event, message } = frame;
  if (typeof statusCode === 'number' && statusCode < 400) return null;
  const isRefusal =
    statusCode !== undefined ||
    Boolean(error) ||
    [type, event].includes('error') ||
    typeof message === 'string';
  if (!isRefusal) return null;
  const said = [body, error, frame].map(messageIn).find((words) => words !== null);
  return reason(said ?? text);
}

function messageIn(value: unknown): string | null {
  const words = isObject(value) ? (value['message'] ?? value['error']) : value;
  return typeof words === 'string' && words !== '' ? words : null;
}

function reason(words: string): string {
  return cleanText(words).slice(0, REASON_MAX);
}
