import { alertSchema } from '../views/alert-view.ts';
import { ALERT_EXAMPLE } from '../views/examples.ts';
import type { Components, JsonSchema } from './openapi-types.ts';

const PREFIX = '#/components/schemas/';

type Schemas = Components['schemas'];

/** One alert as JSON, and what each of its fields is, with its unit. */
export function alertText(schemas: Schemas): string {
  const schema = schemas[String(alertSchema.meta()?.id)] ?? {};
  return [
    '**An alert.** `GET /alerts/{id}`, lists with `expand=details`, the stream and webhooks have all fields:',
    `\`\`\`json\n${JSON.stringify(ALERT_EXAMPLE, null, 1)}\n\`\`\``,
    fieldsOf(schema, '', schemas).join('\n'),
  ].join('\n\n');
}

/** A line for each field; those of embedded objects have the name of the object before theirs. */
function fieldsOf({ properties = {} }: JsonSchema, before: string, schemas: Schemas): string[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, given]) => {
    const schema = resolved(given, schemas);
    const items = resolved((schema['items'] ?? {}) as JsonSchema, schemas);
    const isList = schema['items'] !== undefined;
    const path = `${before}${name}${isList ? '[]' : ''}`;
    const description = String(given['description'] ?? schema['description'] ?? '');
    const line = `- \`${path}\` (${typeOf(given, schemas)}): ${description}`;
    return [line, ...fieldsOf(isList ? items : schema, `${path}.`, schemas)];
  });
}

function typeOf(given: JsonSchema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  const allowed = schema['enum'];
  if (Array.isArray(allowed)) return allowed.join(', ') + (isNullable(given) ? ', null' : '');
  const type = schema['items'] === undefined ? [schema['type']].flat().join(' or ') : 'list';
  return isNullable(given) && !type.includes('null') ? `${type} or null` : type;
}

/** The schema that is not null, without references. */
function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: readonly JsonSchema[] };
  if ($ref !== undefined) return resolved(schemas[$ref.slice(PREFIX.length)] ?? {}, schemas);
  const [some] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return some === undefined ? schema : resolved(some, schemas);
}

function isNullable({ anyOf, type }: JsonSchema & { readonly anyOf?: readonly JsonSchema[] }): boolean {
  return [type].flat().includes('null') || anyOf?.some((part) => part['type'] === 'null') === true;
}
