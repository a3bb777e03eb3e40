import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidRequestOf } from '../schemas/validation.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const UTF_8 = ['utf-8', 'utf8', 'us-ascii'];

const RESERVED = {
  loc: ['body'],
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

/** Fastify's parser refuses JSON with a reserved name as well, and does not say what is wrong. */
function problemOf(text: string): Error {
  try {
    JSON.parse(text);
    return invalidRequestOf([RESERVED]);
  } catch (error) {
    return jsonProblem((error as SyntaxError).message);
  }
}

function jsonProblem(reason: string): Error {
  return invalidRequestOf([{ loc: ['body'], type: 'json_invalid', msg: `JSON decode error: ${reason}` }]);
}

/** For routes without a body: many clients send a content type with every request, and no body. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
