import { Schema, type SchemaDefinitionProperty } from 'mongoose';
import type { Declaration, Kind } from '../stores/collection.ts';
import { SLOT } from './mongo-fields.ts';

const TYPES: Readonly<Record<Kind, SchemaDefinitionProperty>> = {
  text: String,
  json: String,
  integer: Number,
  number: Number,
  boolean: Boolean,
  bytes: Buffer,
  value: Schema.Types.Mixed,
  words: [String],
};

/**
 * By which the server refuses a document with another field, without one, or with a value of another type, as `STRICT` tables
 * of SQLite do: from mongoose's schema of a declaration.
 */
export function validatorOf(declaration: Declaration<Record<string, unknown>>): object {
  const { fields, key, optional = [], cap } = declaration;
  const types = Object.entries(fields as Readonly<Record<string, string | object>>);
  const definition = types.map(([name, type]) => [
    key.length === 1 && name === key[0] ? '_id' : name,
    typeof type === 'string' ? fieldOf(type, optional.includes(name)) : embedded(type),
  ]);
  const schema = new Schema(
    {
      _id: fieldOf('text'),
      ...Object.fromEntries(definition),
      ...(cap && { [SLOT]: { type: Number } }),
    },
    OPTIONS,
  );
  return { $jsonSchema: closed(schema.toJSONSchema({ useBsonType: true })) };
}

const OPTIONS = { _id: false, id: false, versionKey: false } as const;

function fieldOf(type: string, isOptional = false): SchemaDefinitionProperty {
  return { type: TYPES[type.replace('?', '') as Kind], required: !(isOptional || type.endsWith('?')) };
}

function embedded(fields: object): SchemaDefinitionProperty {
  const inner = Object.entries(fields).map(([name, type]) => [name, fieldOf(type, true)]);
  return { type: new Schema(Object.fromEntries(inner), OPTIONS) };
}

/** Without other fields than those that are named, here and in embedded objects. */
function closed(schema: Readonly<Record<string, unknown>>): object {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const inner = Object.entries(properties as Record<string, Record<string, unknown>>);
  const named = Object.fromEntries(inner.map(([name, each]) => [name, closed(each)]));
  return { ...schema, properties: named, additionalProperties: false };
}
