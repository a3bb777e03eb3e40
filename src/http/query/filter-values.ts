import { z } from 'zod';
import { type FilterValue, PRESET_LIMITS } from '../../core/accounts/presets/preset.ts';
import { JsonSchemas, type Schemas } from '../schemas/json-schema.ts';
import { invalidValue, wording } from '../schemas/validation.ts';
import { filterShape, pageShape } from './alert-query.ts';

export const KNOWN_FILTERS = { ...pageShape, ...filterShape };

type JsonType = 'string' | 'integer' | 'number' | 'boolean';

const SCHEMAS = new JsonSchemas().ofShape(KNOWN_FILTERS, 'input');

/** The values that presets and webhooks take, as properties of a JSON Schema. */
export const FILTER_MEMBERS: Schemas = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, { description, examples, default: usual, ...schema }]) => [
    name,
    { anyOf: [schema, { type: 'null' }], description },
  ]),
);

/** A component: some generators support null among several types only there. */
export const filterValueSchema = z
  .union([z.string().max(PRESET_LIMITS.filterTextLength), z.number(), z.boolean(), z.null()])
  .meta({
    id: 'FilterValue',
    description: 'The value of a filter that this version does not know. It is stored but not used.',
  });

const EXPECTED: Readonly<Record<JsonType, readonly [type: string, noun: string]>> = {
  string: ['string_type', 'string'],
  integer: ['int_type', 'integer'],
  number: ['float_type', 'number'],
  boolean: ['bool_type', 'boolean'],
};

/** Whether it can be a filter, its type in JSON, then its value as that of the query parameter; of unknown names only the first. */
export function filterProblem(name: string, value: unknown) {
  const problem = valueProblem(value);
  const schema = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined;
  if (problem !== null || schema === undefined || value === null) return problem;
  // Of enumerations there is only a reference.
  const { type: expected = 'string' } = schema as { readonly type?: JsonType };
  if (typeof value !== (expected === 'integer' ? 'number' : expected)) {
    const [type, noun] = EXPECTED[expected];
    return invalidValue(type, `Input should be a valid ${noun}`);
  }
  const [issue] = parseFilter(name, value as FilterValue)?.error?.issues ?? [];
  if (issue === undefined) return null;
  const { type, msg } = wording(issue);
  return invalidValue(type, msg);
}

export function parseFilter(name: string, value: FilterValue) {
  if (value === null || !Object.hasOwn(KNOWN_FILTERS, name)) return null;
  return KNOWN_FILTERS[name as keyof typeof KNOWN_FILTERS].safeParse(String(value), { reportInput: true });
}

function valueProblem(value: unknown) {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'boolean' || value === null || Number.isFinite(value)) return null;
  return typeof value === 'number'
    ? invalidValue('finite_number', 'Input should be a finite number')
    : invalidValue('value_error', 'Input should be a string, a number, a boolean or null');
}

function textProblem(text: string) {
  const max = PRESET_LIMITS.filterTextLength;
  if (text.length > max)
    return invalidValue('string_too_long', `String should have at most ${max} characters`);
  return text.isWellFormed() ? null : invalidValue('value_error', 'Input should be well-formed text');
}
