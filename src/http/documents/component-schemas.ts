import type { ZodType } from 'zod';
import { type JsonSchema, jsonSchemas, referredName, referTo, type Schemas } from '../schemas/json-schema.ts';

/** The named schemas of a document, collected from what refers to them. */
export class ComponentSchemas {
  readonly #named = new Map<string, JsonSchema>();
  readonly #bodies = new Map<ZodType, string>();

  /** A reference if the schema has a name. */
  add(schema: ZodType, io: 'input' | 'output'): JsonSchema {
    const { value = {} } = this.addAll({ value: schema }, io);
    return value;
  }

  addAll(shape: Readonly<Record<string, ZodType>>, io: 'input' | 'output'): Schemas {
    const { schemas, named } = jsonSchemas(shape, io);
    for (const [name, schema] of Object.entries(named)) this.#named.set(name, schema);
    return schemas;
  }

  /** `createPreset` takes a `CreatePreset`. Operations with the same body share the name of the first. */
  addBody(schema: ZodType, operationId: string) {
    const name = this.#bodies.get(schema) ?? operationId.charAt(0).toUpperCase() + operationId.slice(1);
    const { examples, ...body } = this.add(schema, 'input');
    if (!this.#bodies.has(schema)) {
      this.#bodies.set(schema, name);
      this.#named.set(name, { description: `Body of \`${operationId}\`.`, ...body });
    }
    return { schema: referTo(name), example: firstOf(examples) };
  }

  /** The schema that a reference leads to; others are returned as they are. */
  resolve(schema: JsonSchema): JsonSchema {
    const name = referredName(schema);
    return name === null ? schema : (this.#named.get(name) ?? schema);
  }

  sorted(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => a.localeCompare(b)));
  }
}

export function firstOf(examples: unknown): unknown {
  return Array.isArray(examples) ? examples[0] : undefined;
}
