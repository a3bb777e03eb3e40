import type { ApiDocument, Operation } from '../../../src/http/documents/openapi-types.ts';

/** The keywords of a schema that values are made from. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly ValueSchema[];
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly examples?: readonly unknown[];
}

export interface DocumentedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

export function operationsOf({ paths }: ApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }];
    }),
  );
}

/** The schema of an operation's JSON body; null when it takes none. */
export function bodySchemaOf({ requestBody }: Operation): ValueSchema | null {
  const { content } = (requestBody ?? {}) as {
    content?: Readonly<Record<string, { readonly schema: ValueSchema }>>;
  };
  return content?.['application/json']?.schema ?? null;
}

export function resolved(document: ApiDocument, schema: ValueSchema): ValueSchema {
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere`);
  return resolved(document, found as ValueSchema);
}
