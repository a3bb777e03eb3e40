import type { JsonSchema } from '../schemas/json-schema.ts';

export interface ApiDocument {
  readonly openapi: string;
  readonly servers: readonly object[];
  readonly security: readonly object[];
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
}

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Readonly<Record<string, Answer>>;
  headers: Readonly<Record<string, { readonly description: string }>>;
  securitySchemes: Readonly<Record<string, object>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[];
  /** Absent: the default of the document, a key. Empty: public. */
  readonly security?: readonly unknown[] | undefined;
  parameters?: Parameter[];
  readonly requestBody?: RequestBody;
  responses: Record<string, Answer>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Readonly<Record<string, Media>>;
}

export interface Answer {
  /** Leads to an answer that operations share. */
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
