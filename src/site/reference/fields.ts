import type { Components, Parameter } from '../../http/documents/openapi-types.ts';
import type { JsonSchema } from '../../http/schemas/json-schema.ts';
import { type Html, html } from '../html.ts';
import { marked } from '../parts/markdown.ts';

const PREFIX = '#/components/schemas/';

export type Schemas = Components['schemas'];

function refNameOf({ $ref }: JsonSchema): string | null {
  return typeof $ref === 'string' ? $ref.slice(PREFIX.length) : null;
}

/** The schemas that a value names, each once, in the order they are met. */
export function namesIn(value: unknown): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  const own = refNameOf(value as JsonSchema);
  return [...new Set([...(own === null ? [] : [own]), ...Object.values(value).flatMap(namesIn)])];
}

/** Fields of objects, and parameters, as lists of name, type, limits and words. A named object is a link to its own list on the page. */
export class Fields {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  ofParameters(parameters: readonly Parameter[]): Html {
    return html`<dl class="fields">
      ${parameters.map((each) => this.#row({ ...each, marks: [each.in, ...(each.required === true ? ['required'] : [])] }))}
    </dl>`;
  }

  /** The lists of named objects, each folded: a link to one unfolds it. */
  ofObjects(schemas: Schemas): readonly Html[] {
    return Object.entries(schemas).flatMap(([name, schema]) => {
      const list = this.ofSchema(schema, name);
      if (list === null) return [];
      const words = marked(String(schema['description'] ?? ''));
      return [
        html`<details><summary><code>${name}</code> <small class="muted">${words}</small></summary>${list}</details>`,
      ];
    });
  }

  /** Of an object that the document names or that stands where it is used; null if it has none. */
  ofSchema(schema: JsonSchema, id: string | null = null): Html | null {
    const properties = Object.entries((schema['properties'] ?? {}) as Schemas);
    if (properties.length === 0) return null;
    const required = (schema['required'] ?? []) as readonly string[];
    const rows = properties.map(([name, inner]) => {
      const { description } = inner as { description?: string };
      return this.#row({
        name,
        schema: inner,
        description,
        marks: required.includes(name) ? [] : ['optional'],
      });
    });
    return html`<dl class="fields"${id === null ? null : html` id="${id}"`}>
      ${rows}
    </dl>`;
  }

  /** `within`: the names that were followed to this schema. Such as “list of Alert”, “integer or null”, “one of BUY, SELL”. */
  typeOf(schema: JsonSchema, within: readonly string[] = []): Html {
    const { anyOf, const: only, enum: allowed, format, items, type } = schema;
    const name = refNameOf(schema);
    if (name !== null) {
      const found = this.#schemas[name] ?? {};
      if (found['properties'] !== undefined) return html`<a href="#${name}">${name}</a>`;
      return within.includes(name) ? html`${name}` : this.typeOf(found, [...within, name]);
    }
    if (Array.isArray(anyOf)) return joined(anyOf.map((one: JsonSchema) => this.typeOf(one, within)));
    if (Array.isArray(allowed)) return html`${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`;
    if (only !== undefined) return html`${JSON.stringify(only)}`;
    if (Array.isArray(type)) return joined(type.map((one) => this.typeOf({ ...schema, type: one })));
    if (type === 'array') return html`list of ${this.typeOf((items ?? {}) as JsonSchema, within)}`;
    if (format === 'date-time') return html`time`;
    return html`${type ?? 'any value'}`;
  }

  #row(field: {
    readonly name: string;
    readonly schema: JsonSchema;
    readonly description?: string | undefined;
    readonly marks: readonly string[];
  }): Html {
    const { name, schema } = field;
    const found = this.#resolved(schema);
    const { default: usual = found['default'], items = {} } = schema;
    const notes = [...limitsOf(found), ...(usual === undefined ? [] : [`default ${usual}`]), ...field.marks];
    const words = field.description ?? (found['description'] as string | undefined) ?? '';
    return html`<dt><code>${name}</code> <small>${this.typeOf(schema)}${notes.map((note) => `, ${note}`)}</small></dt>
      <dd>${marked(words)}${this.ofSchema(schema) ?? this.ofSchema(items as JsonSchema)}</dd>`;
  }

  /** The schema that says what a value is, beside null. */
  #resolved(schema: JsonSchema): JsonSchema {
    const name = refNameOf(schema);
    if (name !== null) return this.#schemas[name] ?? {};
    const [some] = ((schema['anyOf'] ?? []) as JsonSchema[]).filter(({ type }) => type !== 'null');
    return some === undefined ? schema : this.#resolved(some);
  }
}

/** Such as “1 to 100”, “at most 64 characters”. */
function limitsOf(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const ranges = [
    rangeOf(minimum, maximum, ''),
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
  ];
  return ranges.filter((range) => range !== '');
}

function rangeOf(low: unknown, high: unknown, unit: string): string {
  const [least, most] = [low, high].map((end) =>
    typeof end === 'number' ? end.toLocaleString('en-US') : null,
  );
  if (least && most) return `${least} to ${most}${unit}`;
  if (most) return `at most ${most}${unit}`;
  return least ? `at least ${least}${unit}` : '';
}

function joined(types: readonly Html[]): Html {
  return html`${types.map((type, index) => (index === 0 ? type : html` or ${type}`))}`;
}
