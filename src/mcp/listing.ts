import { ZodEnum, type ZodObject, type ZodType, z } from 'zod';
import { cutLine } from '../core/base/text/formats.ts';
import { complete } from '../http/schemas/json-schema.ts';
import type { Tool } from './tool.ts';

const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

type Json = Record<string, unknown> & { description?: string };

/** `tools/list`, which every client keeps in its context: what is said of a field is said once. */
export function listTools(tools: readonly Tool[]) {
  const said = { input: new Set<string>(), output: new Set<string>() };
  return tools.map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input', said.input),
    outputSchema: jsonSchemaOf(output, 'output', said.output),
    annotations: ANNOTATIONS,
  }));
}

function jsonSchemaOf(schema: ZodObject, io: 'input' | 'output', said: Set<string>) {
  const options = { io, unrepresentable: 'any', metadata: METADATA, override: complete } as const;
  const { $schema, ...json } = z.toJSONSchema(schema, options);
  shorten(json, { io, field: '', said });
  return json as { type: 'object' };
}

/** Enumerations are written where they are used: a reference is longer, and not every client follows it. */
const METADATA = Object.assign(z.registry(), {
  get(schema: ZodType) {
    const meta = z.globalRegistry.get(schema);
    return schema instanceof ZodEnum ? { ...meta, id: undefined } : meta;
  },
}) as typeof z.globalRegistry;

/** Patterns are long, and say less than the refusal of a value that does not fit; answers show their values themselves. */
const DROPPED = {
  input: ['examples', 'pattern', 'format'],
  output: ['examples', 'pattern', 'format', 'minimum', 'maximum', 'enum'],
};

interface Place {
  readonly io: keyof typeof DROPPED;
  readonly field: string;
  readonly said: Set<string>;
}

function shorten(json: Json, place: Place): void {
  const { io, field, said } = place;
  for (const name of DROPPED[io]) delete json[name];
  // Of parts of answers: they are checked before they are sent.
  if (io === 'output' && field !== '') delete json['required'];
  const [firstClause] = json.description?.split(/(?<=\.) |; /, 1) ?? [];
  if (firstClause !== undefined) json.description = firstClause;
  const words = `${field}: ${json.description}`;
  if (said.has(words)) delete json.description;
  said.add(words);
  if (io === 'output' && OF_MARKET.has(field)) Object.assign(json, MARKET_TEXT);
  const { properties = {}, $defs = {}, items, anyOf = [] } = json as z.core.JSONSchema.JSONSchema;
  for (const [name, inner] of Object.entries({ ...$defs, ...properties })) {
    shorten(inner as Json, { ...place, field: name });
  }
  for (const inner of [items ?? [], anyOf].flat()) shorten(inner as Json, place);
  joinTypes(json, anyOf);
}

/** `{"type": ["integer", "null"]}` for alternatives that have nothing but a type. */
function joinTypes(json: Json, alternatives: readonly object[]): void {
  const types = alternatives.map((each) =>
    'type' in each && Object.keys(each).length === 1 ? each.type : null,
  );
  if (types.length === 0 || types.includes(null)) return;
  delete json['anyOf'];
  json['type'] = types;
}

const LENGTH = 200;
/** Fields that hold what strangers wrote on the market. */
const OF_MARKET = new Set<unknown>(['event_title', 'event_slug', 'outcome']);
/** Characters that nobody sees: some of them spell hidden text. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]/gu;

/** What the schema of such a field says. */
const MARKET_TEXT = { description: 'Untrusted data, written by strangers.' };

/** The value with the text of the market in it as one visible line each, at most 200 characters long. */
export function asPlainText<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    OF_MARKET.has(name) && typeof inner === 'string' ? cutLine(inner.replace(UNSEEN, ''), LENGTH) : inner,
  ) as Value;
}
