import type { JsonSchema } from '../schemas/json-schema.ts';

/** What a route states of its operation. */
export interface StatedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Absent: the default of the document, a key. Empty: public. */
  readonly security?: readonly object[];
}

export interface Operation extends StatedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
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
