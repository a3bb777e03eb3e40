import { grouped } from '../../core/base/text/formats.ts';
import type { Parameter } from '../../http/documents/openapi-types.ts';
import { type JsonSchema, referredName, resolved, type Schemas } from '../../http/schemas/json-schema.ts';
import { type Html, html } from '../html.ts';
import { marked } from '../parts/markdown.ts';

/** Fields of objects, and parameters, as lists of name, type, limits and words. A named object is a link to its own list on the page. */
export class Fields {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  ofParameters(parameters: readonly Parameter[]): Html {
    const rows = parameters.map(({ in: place, name, required, schema, description }) =>
      this.#row(name, { ...schema, description }, required ? [place, 'required'] : [place]),
    );
    return html`<dl class="fields">${rows}</dl>`;
  }

  /** The objects that a value names, each folded: a link to one unfolds it. */
  ofObjectsIn(value: unknown): readonly Html[] {
    const names = [...this.#namesIn(value)].filter((name) => this.#schemas[name]?.properties !== undefined);
    return names.map((name) => {
      const { description = '', ...schema } = this.#schemas[name] ?? {};
      return html`<details><summary><code>${name}</code> <small class="muted">${marked(description)}</small></summary>${this.#ofObject(schema, name)}</details>`;
    });
  }

  /** Such as “list of Alert”, “integer or null”, “one of BUY, SELL”. */
  typeOf(schema: JsonSchema): Html {
    const { anyOf, const: only, enum: allowed, format, items = {}, type } = schema;
    const name = referredName(schema);
    if (name !== null) {
      const found = this.#schemas[name] ?? {};
      return found.properties === undefined ? this.typeOf(found) : html`<a href="#${name}">${name}</a>`;
    }
    if (anyOf !== undefined) return joined(anyOf.map((one) => this.typeOf(one)));
    if (allowed !== undefined) return html`${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`;
    if (only !== undefined) return html`${JSON.stringify(only)}`;
    if (Array.isArray(type)) return joined(type.map((one) => this.typeOf({ ...schema, type: one })));
    if (type === 'array') return html`list of ${this.typeOf(items)}`;
    if (format === 'date-time') return html`time`;
    return html`${type ?? 'any value'}`;
  }

  /** In the order they are met, each once, with those that they name. */
  #namesIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
    if (value === null || typeof value !== 'object') return names;
    const name = referredName(value as JsonSchema);
    if (name !== null && !names.has(name)) {
      names.add(name);
      this.#namesIn(this.#schemas[name], names);
    }
    for (const child of Object.values(value)) this.#namesIn(child, names);
    return names;
  }

  /** Of an object that has a name or stands where it is used; null if it has no fields. */
  #ofObject({ properties = {}, required = [] }: JsonSchema, id: string | null = null): Html | null {
    const rows = Object.entries(properties).map(([name, schema]) =>
      this.#row(name, schema, required.includes(name) ? [] : ['optional']),
    );
    return rows.length === 0 ? null : html`<dl class="fields"${id && html` id="${id}"`}>${rows}</dl>`;
  }

  #row(name: string, schema: JsonSchema, marks: readonly string[]): Html {
    const found = this.#valueOf(schema);
    const { description = found.description, default: usual = found['default'], items = {} } = schema;
    const notes = [...limitsOf(found), ...(usual === undefined ? [] : [`default ${usual}`]), ...marks];
    return html`<dt><code>${name}</code> <small>${this.typeOf(schema)}${notes.map((note) => `, ${note}`)}</small></dt>
      <dd>${marked(description ?? '')}${this.#ofObject(schema) ?? this.#ofObject(items)}</dd>`;
  }

  /** The schema that says what a value is, beside null. */
  #valueOf(schema: JsonSchema): JsonSchema {
    const some = schema.anyOf?.find(({ type }) => type !== 'null');
    return some === undefined ? resolved(schema, this.#schemas) : this.#valueOf(some);
  }
}

const LIMITS = [
  ['minimum', 'at least', ''],
  ['maximum', 'at most', ''],
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
] as const;

/** Such as “at least 1”, “at most 64 characters”. */
function limitsOf(schema: JsonSchema): readonly string[] {
  return LIMITS.flatMap(([keyword, words, unit]) => {
    const limit = schema[keyword];
    return typeof limit === 'number' ? [`${words} ${grouped(limit)}${unit}`] : [];
  });
}

function joined(types: readonly Html[]): Html {
  return html`${types.map((type, index) => (index === 0 ? type : html` or ${type}`))}`;
}
