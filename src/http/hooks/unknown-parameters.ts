import type { FastifyReply, FastifyRequest } from 'fastify';
import { ZodObject } from 'zod';

const HEADER = 'x-unknown-parameters';
const NAMES = 20;
const NAME_LENGTH = 64;
/** Encoding makes names up to nine times as long, and some proxies refuse more than 4 KB of headers. */
const HEADER_LENGTH = 2_048;

/** Runs before any check, so that every answer has the header. Routes with a loose schema read unknown names themselves. */
export function listUnknownParameters(request: FastifyRequest, reply: FastifyReply): void {
  const names = Object.keys(request.query as object);
  if (names.length === 0) return;
  const known = knownNames(request.routeOptions.schema?.querystring);
  if (known !== null) addUnknownParameters(reply, namesBeside(names, known));
}

export function addUnknownParameters(reply: FastifyReply, names: readonly string[]): void {
  if (names.length === 0) return;
  const listed = String(reply.getHeader(HEADER) ?? '').split(', ');
  const text = joined([...listed, ...names.slice(0, NAMES).map(encoded)]);
  if (text !== null) reply.header(HEADER, text);
}

export function unknownNames(query: object, known: object): string | null {
  return joined(namesBeside(Object.keys(query), known).slice(0, NAMES).map(encoded));
}

export function namesBeside(names: readonly string[], known: object): string[] {
  return names.filter((name) => !Object.hasOwn(known, name));
}

function knownNames(schema: unknown): object | null {
  if (!(schema instanceof ZodObject)) return {};
  return schema.def.catchall?._zod.def.type === 'unknown' ? null : schema.shape;
}

function encoded(name: string): string {
  return encodeURIComponent(name.slice(0, NAME_LENGTH).toWellFormed());
}

function joined(names: readonly string[]): string | null {
  let text = '';
  for (const name of [...new Set(names)].filter((name) => name !== '').slice(0, NAMES)) {
    const longer = text === '' ? name : `${text}, ${name}`;
    if (longer.length > HEADER_LENGTH) break;
    text = longer;
  }
  return text === '' ? null : text;
}
