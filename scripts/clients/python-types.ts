import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import { type JsonSchema, referredName } from '../../src/http/schemas/json-schema.ts';

const HEAD = `"""The shapes of the API by their documented names. At run time they are plain dictionaries, lists and values."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

from typing import TypeAlias
`;

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const IDENTIFIER = /^[A-Za-z_]\w*$/;

export class PythonTypes {
  readonly #definitions = new Map<string, string>();

  constructor({ components }: ApiDocument) {
    for (const [name, schema] of Object.entries(components.schemas)) this.#define(name, schema);
  }

  /** The annotation for a schema. An object without a name is defined as `name`. `prefix`: before names of this module. */
  annotation(schema: JsonSchema, name: string, prefix = ''): string {
    const { anyOf, enum: values, const: only, type, items = {}, properties, additionalProperties } = schema;
    const component = referredName(schema);
    if (component !== null) return prefix + component;
    if (only !== undefined) return literal([only]);
    if (values !== undefined) return literal(values);
    if (anyOf !== undefined) return this.#union(anyOf, name, prefix);
    if (Array.isArray(type)) {
      const each = type.map((one) => ({ ...schema, type: one }));
      return this.#union(each, name, prefix);
    }
    if (type === 'array') return `list[${this.annotation(items, `${name}Item`, prefix)}]`;
    if (properties !== undefined) return prefix + this.#define(name, schema);
    if (type !== 'object') return PLAIN[String(type)] ?? 'Any';
    const isSchema = typeof additionalProperties === 'object' && additionalProperties !== null;
    if (!isSchema) return 'dict[str, Any]';
    return `dict[str, ${this.annotation(additionalProperties as JsonSchema, `${name}Value`, prefix)}]`;
  }

  text(): string {
    return [HEAD, ...this.#definitions.values()].join('\n');
  }

  #union(choices: readonly JsonSchema[], name: string, prefix: string): string {
    const annotations = choices.map((choice, index) =>
      this.annotation(choice, `${name}${index === 0 ? '' : index + 1}`, prefix),
    );
    return [...new Set(annotations)].join(' | ');
  }

  #define(name: string, schema: JsonSchema): string {
    if (this.#definitions.has(name)) return name;
    const text =
      schema.properties === undefined
        ? `${name}: TypeAlias = ${quoted(this.annotation(schema, name))}\n`
        : this.#typedDict(name, schema);
    this.#definitions.set(name, text);
    return name;
  }

  #typedDict(name: string, { properties = {}, required = [], description }: JsonSchema): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const annotation = this.annotation(schema, name + capitalised(field));
      const isRequired = required.includes(field);
      return { field, schema, annotation: isRequired ? annotation : `NotRequired[${annotation}]` };
    });
    if (fields.some(({ field }) => !IDENTIFIER.test(field))) {
      const rows = fields.map(({ field, annotation }) => `    "${field}": ${quoted(annotation)},\n`);
      return `${name} = TypedDict("${name}", {\n${rows.join('')}})\n`;
    }
    const rows = fields.map(({ field, annotation, schema }) => {
      const doc = schema.description === undefined ? '' : `    ${docstring(schema.description)}\n`;
      return `    ${field}: ${annotation}\n${doc}`;
    });
    const about = description === undefined ? '' : `    ${docstring(description)}\n\n`;
    return `\nclass ${name}(TypedDict):\n${about}${rows.join('') || '    pass\n'}`;
  }
}

export function docstring(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"""${line}"""`;
}

export function capitalised(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** An annotation that is read by type checkers only, so that it may name what follows. */
function quoted(annotation: string): string {
  return `'${annotation.replaceAll("'", "\\'")}'`;
}

function literal(values: readonly unknown[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return value === null ? 'None' : JSON.stringify(value);
  });
  return `Literal[${texts.join(', ')}]`;
}
