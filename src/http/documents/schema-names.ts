import type { ApiDocument, JsonSchema } from './openapi-types.ts';

const PREFIX = '#/components/schemas/';

/** Keeps the referenced schemas, and restores names that the generator changes for requests. */
export function tidySchemas(document: ApiDocument): ApiDocument {
  const { schemas } = document.components;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow([document.paths, document.webhooks]);
  follow(['Error', 'ValidationError'].map((name) => ({ $ref: PREFIX + name })));
  const names = new Map([...used].map((name) => [name, shortName(name, used)]));
  const tidied = tidy(document, names) as ApiDocument;
  tidied.components.schemas = Object.fromEntries(
    [...names]
      .map(([name, short]): [string, JsonSchema] => [short, tidy(schemas[name], names) as JsonSchema])
      .sort(([a], [b]) => a.localeCompare(b)),
  );
  return tidied;
}

function shortName(name: string, used: ReadonlySet<string>): string {
  const short = name.replace(/Input$/, '');
  return used.has(short) ? name : short;
}

function namesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' && child.startsWith(PREFIX)
      ? [child.slice(PREFIX.length)]
      : namesIn(child),
  );
}

/** Schemas renamed by `names`, each with one type besides null, numbers as doubles, without the bounds of a safe integer. */
export function tidy(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((child) => tidy(child, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(withDouble(oneTypeEach(value)))
      .filter(([key, child]) => !isSafeBound(key, child))
      .map(([key, child]) => [key, key === '$ref' ? renamed(String(child), names) : tidy(child, names)]),
  );
}

/** Generators of typed clients support one type besides null, and `anyOf`. */
function oneTypeEach({ type, ...schema }: { type?: unknown }): object {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  if (type.filter((one) => one !== 'null').length < 2) return { type, ...schema };
  return { anyOf: type.map((one) => ({ type: one })), ...schema };
}

/** Generators of typed clients use 32 bits for a number without a format: too few for money. */
function withDouble(schema: { type?: unknown; format?: unknown }): object {
  const isNumber = [schema.type].flat().includes('number');
  return isNumber && schema.format === undefined ? { ...schema, format: 'double' } : schema;
}

function isSafeBound(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

function renamed(ref: string, names: ReadonlyMap<string, string>): string {
  return PREFIX + (names.get(ref.slice(PREFIX.length)) ?? ref.slice(PREFIX.length));
}
