import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { type ZodType, z } from 'zod';
import type { $ZodIssue } from 'zod/v4/core';
import { counted } from '../../core/base/text/formats.ts';
import { errorCodeSchema } from './error-codes.ts';

const valueProblemSchema = z
  .object({
    loc: z.array(z.string()).describe('Location: `body`, `query` or `path`, then the name.'),
    msg: z.string().describe('The problem, in words.'),
    type: z.string().describe('The kind of problem, for example `missing` or `int_parsing`.'),
  })
  .meta({ id: 'ValueProblem', description: 'One invalid value.' });
type ValueProblem = z.infer<typeof valueProblemSchema>;

export const invalidRequestSchema = z
  .object({ detail: z.array(valueProblemSchema).describe('All invalid values.'), code: errorCodeSchema })
  .meta({ id: 'ValidationError', description: 'The request has invalid values.' });

export interface InvalidRequest extends Error {
  readonly problems: readonly ValueProblem[];
}

export function isInvalidRequest(error: unknown): error is InvalidRequest {
  return error instanceof Error && 'problems' in error;
}

const EXTRA_NAMES = 20;
const EXTRA_NAME_LENGTH = 64;

const PARTS: Record<string, string> = { querystring: 'query', params: 'path' };

export const validatorCompiler: FastifySchemaCompiler<ZodType> = ({ schema, httpPart }) => {
  const part = PARTS[httpPart ?? ''] ?? httpPart ?? 'body';
  return (data: unknown) => {
    const parsed = schema.safeParse(data, { reportInput: true });
    return parsed.success
      ? { value: parsed.data }
      : { error: invalidRequestOfIssues(part, parsed.error.issues) };
  };
};

/** An answer that does not fit its schema is a fault. */
export const serializerCompiler: FastifySerializerCompiler<ZodType> =
  ({ schema }) =>
  (answer) =>
    JSON.stringify(schema.encode(answer));

/** An issue for a check that a schema cannot express. `type`: the `type` of the 422. */
export function invalidValue(type: string, message: string) {
  return { code: 'custom' as const, message, params: { type } };
}

const REPEATED: Wording = {
  type: 'value_error',
  msg: 'Input was given more than once: one value is expected',
};

/** `part`: where the values were, the first of each `loc`. */
export function invalidRequestOfIssues(part: string, issues: readonly $ZodIssue[]): InvalidRequest {
  const problems = issues.flatMap((issue) => {
    const loc = [part, ...issue.path.map(String)];
    // In a query only a repeated name gives a list.
    if (part === 'query' && Array.isArray(issue.input)) return [{ loc, ...REPEATED }];
    if (issue.code !== 'unrecognized_keys') return [{ loc, ...wording(issue) }];
    // Each unknown name is a problem of its own. Their number and length are bounded.
    return issue.keys
      .slice(0, EXTRA_NAMES)
      .map((name) => ({ loc: [...loc, name.slice(0, EXTRA_NAME_LENGTH)], ...wording(issue) }));
  });
  return invalidRequestOf(problems);
}

export function invalidRequestOf(found: readonly ValueProblem[]): InvalidRequest {
  // In the order of the contract's example.
  const problems = found.map(({ loc, msg, type }) => ({ loc, msg, type }));
  return Object.assign(new Error('The request has invalid values.'), { statusCode: 422, problems });
}

type Wording = Omit<ValueProblem, 'loc'>;

/** The words and types of pydantic. */
export function wording(issue: $ZodIssue): Wording {
  const isAbsent = issue.input === undefined || (issue.input === null && issue.path.length === 0);
  if (isAbsent && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { type: 'missing', msg: 'Field required' };
  }
  switch (issue.code) {
    case 'custom':
      return { type: String(issue.params?.['type'] ?? 'value_error'), msg: issue.message };
    case 'invalid_type':
      if (issue.message === INTEGER_EXPECTED.msg) return INTEGER_EXPECTED;
      return TYPE_WORDINGS[issue.expected] ?? { type: 'value_error', msg: issue.message };
    case 'invalid_value':
      return { type: 'enum', msg: `Input should be ${alternatives(issue.values.map(String))}` };
    case 'too_small':
      return outOfBounds('too_small', issue.origin, Number(issue.minimum), issue.inclusive ?? true);
    case 'too_big':
      return outOfBounds('too_big', issue.origin, Number(issue.maximum), issue.inclusive ?? true);
    case 'unrecognized_keys':
      return { type: 'extra_forbidden', msg: issue.message };
    case 'invalid_format':
      return { type: 'string_pattern_mismatch', msg: issue.message };
    default:
      return { type: 'value_error', msg: issue.message };
  }
}

/** Zod reports the type of an integer as `number`: a schema names its message to get these words. */
export const INTEGER_EXPECTED: Wording = { type: 'int_type', msg: 'Input should be a valid integer' };

const TYPE_WORDINGS: Record<string, Wording> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: INTEGER_EXPECTED,
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
};

const BOUNDS = {
  too_small: { size: 'at least', short: 'short', number: 'greater' },
  too_big: { size: 'at most', short: 'long', number: 'less' },
};

function outOfBounds(
  code: keyof typeof BOUNDS,
  origin: string,
  bound: number,
  isInclusive: boolean,
): Wording {
  const { size, short, number } = BOUNDS[code];
  if (origin === 'string') {
    return { type: `string_too_${short}`, msg: `String should have ${size} ${counted(bound, 'character')}` };
  }
  if (origin === 'array') {
    return { type: `too_${short}`, msg: `List should have ${size} ${counted(bound, 'item')}` };
  }
  return isInclusive
    ? { type: `${number}_than_equal`, msg: `Input should be ${number} than or equal to ${bound}` }
    : { type: `${number}_than`, msg: `Input should be ${number} than ${bound}` };
}

function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
