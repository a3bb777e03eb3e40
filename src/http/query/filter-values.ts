import { z } from 'zod';
import { type FilterValue, PRESET_LIMITS } from '../../core/accounts/presets/preset.ts';
import { invalidValue, wording } from '../schemas/validation.ts';
import { filterShape, pageShape } from './alert-query.ts';

export const KNOWN_FILTERS = { ...pageShape, ...filterShape };

type JsonType = 'string' | 'integer' | 'number' | 'boolean';

const SCHEMAS = new Map(
  Object.entries(KNOWN_FILTERS).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const { $schema, examples, default: usual, ...rest } = json;
    return [name, rest as { readonly type: JsonType; readonly description?: string }];
  }),
);

export const FILTER_MEMBERS = Object.fromEntries(
  [...SCHEMAS].map(([name, { description, ...schema }]) => [
    name,
    { anyOf: [schema, { type: 'null' }], description },
  ]),
);

export const FILTER_VALUE = {
  anyOf: [
    { type: 'string', maxLength: PRESET_LIMITS.filterTextLength },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
  ],
  description: 'The value of a filter that this version does not know. It is stored but not used.',
};

const EXPECTED: Readonly<Record<JsonType, readonly [type: string, noun: string]>> = {
  string: ['string_type', 'string'],
  integer: ['int_type', 'integer'],
  number: ['float_type', 'number'],
  boolean: ['bool_type', 'boolean'],
};

/** Whether it can be a filter, its type in JSON, then its value as that of the query parameter; of unknown names only the first. */
export function filterProblem(name: string, value: unknown) {
  const problem = valueProblem(value);
  const expected = SCHEMAS.get(name)?.type;
  if (problem !== null || expected === undefined || value === null) return problem;
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
