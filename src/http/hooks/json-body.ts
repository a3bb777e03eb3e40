import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidBody } from '../schemas/validation.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const UTF_8 = ['utf-8', 'utf8', 'us-ascii'];

const RESERVED = {
  type: 'value_error',
  msg: 'The names __proto__ and constructor.prototype are not permitted',
};

export function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error') as ParseJson;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!isPlainUtf8(request)) return done(Object.assign(new Error('media type'), { statusCode: 415 }));
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      return done(jsonProblem('the body is not UTF-8'));
    }
    parse(request, text, (error, body) => done(error === null ? null : problemOf(text), body));
  });
}

/** Its type in Fastify is also that of an asynchronous parser, which it is not. */
type ParseJson = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void;

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  return UTF_8.includes(charset.toLowerCase()) && /^\s*(identity)?\s*$/i.test(encoding);
}

function problemOf(text: string): Error {
  if (isJson(text)) return invalidBody(RESERVED);
  const at = brokenAt(text);
  return jsonProblem(
    at === text.length ? `unexpected end after ${at} characters` : `unexpected text at character ${at + 1}`,
  );
}

function jsonProblem(reason: string): Error {
  return invalidBody({ type: 'json_invalid', msg: `JSON decode error: ${reason}` });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the text stops being JSON. Found by bisection, since the parser does not always name the place. */
export function brokenAt(text: string): number {
  let [valid, broken] = [0, text.length + 1];
  while (broken - valid > 1) {
    const middle = Math.floor((valid + broken) / 2);
    if (canContinue(text.slice(0, middle))) valid = middle;
    else broken = middle;
  }
  return valid;
}

/** Whether a text is the beginning of a JSON text: the parser objects to its end, or to nothing. */
function canContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = / at position (\d+)/.exec(message) ?? [];
    return message === 'Unexpected end of JSON input' || Number(position) >= text.length;
  }
}

/** For routes without a body: many clients send a content type with every request, and no body. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
