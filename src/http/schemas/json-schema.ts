import { globalRegistry, ZodDefault, ZodObject, type ZodType, z } from 'zod';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string | undefined;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Schemas;
  readonly required?: readonly string[];
}
export type Schemas = Readonly<Record<string, JsonSchema>>;

const COMPONENTS = '#/components/schemas/';

/** Also stands beside a reference; null for a schema that has no name. */
export function referredName({ $ref }: JsonSchema): string | null {
  return typeof $ref === 'string' ? $ref.slice(COMPONENTS.length) : null;
}

/** The schema that a reference leads to; others are returned as they are. */
export function resolved(schema: JsonSchema, components: Schemas): JsonSchema {
  return components[referredName(schema) ?? ''] ?? schema;
}

/** The JSON Schemas of one document. Those with an `id` are its components, and what uses them refers to them. */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #target: 'draft-2020-12' | 'draft-07';

  constructor(target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12') {
    this.#target = target;
  }

  /** Of requests (`input`) or answers (`output`). */
  ofShape(shape: Readonly<Record<string, ZodType>>, io: 'input' | 'output'): Schemas {
    const options = { io, target: this.#target, unrepresentable: 'any', override: complete } as const;
    const text = JSON.stringify(z.toJSONSchema(z.object(shape), options));
    const { properties = {}, $defs, definitions } = JSON.parse(text, adjusted) as Record<string, Schemas>;
    Object.assign(this.components, $defs, definitions);
    return properties;
  }

  of(schema: ZodType, io: 'input' | 'output'): JsonSchema {
    const { value = {} } = this.ofShape({ value: schema }, io);
    return value;
  }
}

/**
 * Zod omits the default and the examples of transformed schemas. It closes answers, which would make every new field an
 * error in clients that validate: only objects that are strict in requests are closed.
 */
export function complete({ zodSchema, jsonSchema }: Converted): void {
  if (zodSchema instanceof ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
  if (zodSchema instanceof ZodObject && zodSchema.def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  const meta = globalRegistry.get(zodSchema);
  for (const name of ['default', 'examples']) {
    if (meta?.[name] !== undefined) jsonSchema[name] = meta[name];
  }
}

type Converted = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** References lead to the components of the document. Bounds of safe integers are left out, and numbers get a format: generators of typed clients would use 32 bits, too few for money. */
function adjusted(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).replace(/^#\/(?:\$defs|definitions)\//, COMPONENTS);
  if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return undefined;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
  if (value === null || typeof value !== 'object') return value;
  const { type, format } = value as JsonSchema;
  const isNumber = [type].flat().includes('number');
  return isNumber && format === undefined ? { ...value, format: 'double' } : value;
}
