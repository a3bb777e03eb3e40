import fc from 'fast-check';
import type { ApiDocument } from '../../../src/http/documents/openapi-types.ts';
import { resolved, type ValueSchema } from './document-parts.ts';

/** Texts that no client should send. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '-0',
  '1e3',
  '٣',
  'NaN',
  '9007199254740993',
  '9'.repeat(400),
  'null',
  '{"$gt":""}',
  "' OR 1=1 --",
  '%',
  '\\',
  '\u0000',
  '\u202e',
  'İ',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '+275760-09-13T00:00:00Z',
  'sk_live_',
  'x'.repeat(201),
  'x'.repeat(3_000),
];

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double().map(String),
  fc.bigInt().map(String),
);

const hostileJson = fc.oneof(
  fc.jsonValue({ depthSize: 'medium' }),
  hostileText,
  fc.constantFrom(null, true, -1, 1.5, 1e300, [], {}, [[[[]]]], { $ne: null }, { length: 1e9 }),
);

/** Values a schema allows, those at and just beyond its bounds, and anything else. */
export function valuesOf(document: ApiDocument, given: ValueSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: validOf(document, given) },
    { weight: 3, arbitrary: edgesOf(document, given) },
    { weight: 2, arbitrary: hostileJson },
  );
}

function validOf(document: ApiDocument, given: ValueSchema): fc.Arbitrary<unknown> {
  const schema = resolved(document, given);
  const { enum: allowed, anyOf, examples = [] } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (allowed !== undefined) return fc.constantFrom(...allowed);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((part) => validOf(document, part)));
  const [type] = [schema.type ?? 'string'].flat();
  const made = validOfType(document, schema, type ?? 'string');
  return examples.length === 0 ? made : fc.oneof(fc.constantFrom(...examples), made);
}

function validOfType(document: ApiDocument, schema: ValueSchema, type: string): fc.Arbitrary<unknown> {
  const { minimum: min = -1_000_000, maximum: max = 1_000_000 } = schema;
  switch (type) {
    case 'integer':
      return fc.integer({ min: Math.ceil(min), max: Math.min(Math.floor(max), 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(document, schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objectsOf(document, schema);
    default:
      return fc.oneof(textsOf(schema), moments);
  }
}

const moments = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .chain((date) => {
    const text = date.toISOString();
    return fc.constantFrom(text, text.slice(0, 19), text.slice(0, 19).replace('T', ' '));
  });

function textsOf({ minLength = 0, maxLength = 60 }: ValueSchema): fc.Arbitrary<string> {
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

function objectsOf(document: ApiDocument, schema: ValueSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, valuesOf(document, property)]),
    ),
    { requiredKeys: [...required] },
  );
  const hasOthers = (additionalProperties ?? patternProperties) !== undefined;
  const extra = hasOthers ? fc.dictionary(names, hostileJson) : fc.constant({});
  return fc.tuple(known, extra).map(([own, more]) => ({ ...more, ...own }));
}

const names = fc.oneof(
  fc.constantFrom('min_signal', 'category', 'side', 'search', 'page', 'since', '__proto__', 'constructor'),
  fc.string({ maxLength: 12 }),
);

function edgesOf(document: ApiDocument, given: ValueSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength, enum: allowed = [] } = resolved(document, given);
  const numbers = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1, bound + 0.5],
  );
  const texts = maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)];
  const words = allowed.flatMap((word) => [String(word).toUpperCase(), ` ${word} `, `${word},${word}`]);
  return fc.constantFrom<unknown>(...numbers, ...texts, ...words, '', null);
}
