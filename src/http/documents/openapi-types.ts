export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
}

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses?: Record<string, unknown>;
  headers?: Record<string, unknown>;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Absent: the default of the document, a key. Empty: public. */
  readonly security?: readonly unknown[];
  parameters?: Parameter[];
  readonly requestBody?: unknown;
  responses: Record<string, Answer>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown; readonly 'x-disabled'?: boolean }>>;
}

export interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
}
