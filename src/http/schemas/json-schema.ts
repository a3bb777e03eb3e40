import { globalRegistry, ZodDefault, ZodObject, ZodType, z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, JsonSchema>>;

const COMPONENTS = '#/components/schemas/';

/** Also stands beside a reference; null for a schema that has no name. */
export function referredName({ $ref }: JsonSchema): string | null {
  return typeof $ref === 'string' ? $ref.slice(COMPONENTS.length) : null;
}

export function referTo(name: string): JsonSchema {
  return { $ref: COMPONENTS + name };
}

interface JsonSchemas {
  readonly schemas: Schemas;
  /** The schemas with an `id` that they refer to. */
  readonly named: Schemas;
}

/** JSON Schema of requests (`input`) or answers (`output`). */
export function jsonSchemas(
  shape: Readonly<Record<string, ZodType>>,
  io: 'input' | 'output',
  target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12',
): JsonSchemas {
  const json = z.toJSONSchema(z.object(shape), { io, target, unrepresentable: 'any', override: complete });
  const { properties, $defs, definitions } = JSON.parse(JSON.stringify(json), adjusted) as Record<
    string,
    Schemas
  >;
  return { schemas: properties ?? {}, named: $defs ?? definitions ?? {} };
}

/**
 * Zod omits the default and the examples of transformed schemas. It closes answers, which would make every new field an
 * error in clients that validate: only objects that are strict in requests are closed.
 */
export function complete({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: unknown;
  readonly jsonSchema: { additionalProperties?: unknown };
}): void {
  if (zodSchema instanceof ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue });
  if (zodSchema instanceof ZodObject && zodSchema.def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  const meta = zodSchema instanceof ZodType ? globalRegistry.get(zodSchema) : undefined;
  for (const name of ['default', 'examples']) {
    if (meta?.[name] !== undefined) Object.assign(jsonSchema, { [name]: meta[name] });
  }
}

/** References lead to the components of the document. Bounds of safe integers are left out. */
function adjusted(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).replace(/^#\/(?:\$defs|definitions)\//, COMPONENTS);
  if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return undefined;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
  return withDouble(value);
}

/** Generators of typed clients use 32 bits for a number without a format: too few for money. */
function withDouble(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const { type, format } = value as JsonSchema;
  const isNumber = [type].flat().includes('number');
  return isNumber && format === undefined ? { ...value, format: 'double' } : value;
}
