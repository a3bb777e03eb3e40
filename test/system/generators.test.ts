import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/http/documents/openapi-types.ts';
import { ENUMERATIONS } from '../../src/http/documents/shared-schemas.ts';
import { startWithDocument } from '../support/documented-api.ts';

interface Place {
  /** Where it is, as a pointer. */
  readonly at: string;
  readonly schema: JsonSchema;
}

/** Every object of the document that may be a schema. */
function placesIn(value: unknown, at = ''): Place[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.entries(value).flatMap(([key, child]) => placesIn(child, `${at}/${key}`));
  return Array.isArray(value) ? below : [{ at, schema: value as JsonSchema }, ...below];
}

/** The schema itself, or what its items or alternatives are. */
function innerSchemas(schema: JsonSchema): JsonSchema[] {
  const { items, anyOf = [], oneOf = [], allOf = [] } = schema as Readonly<Record<string, never>>;
  const parts = [items, ...anyOf, ...oneOf, ...allOf].filter((part) => part !== undefined);
  return [schema, ...parts.flatMap(innerSchemas)];
}

/** What generators call an inline object or enum: the name of its parent, and of the property; of a list perhaps `Item`. */
function inlineNames(parent: string, { properties = {} }: JsonSchema): string[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([property, schema]) =>
    innerSchemas(schema)
      .filter(({ type, enum: allowed }) => type === 'object' || allowed !== undefined)
      .flatMap((inner) => {
        const name = parent + pascalCase(property);
        return [name, `${name}Item`, `${name}Inner`, ...inlineNames(name, inner)];
      }),
  );
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

describe('the OpenAPI document, as generators of clients read it', () => {
  test('what the service sends has tags of its own: generators make one file a tag and section', async () => {
    const { document, operations } = await startWithDocument();
    const tagged = (list: readonly { readonly tags?: readonly string[] }[]) =>
      list.flatMap(({ tags = [] }) => tags);
    const sent = tagged(Object.values(document.webhooks).flatMap((methods) => Object.values(methods)));
    const asked = tagged(operations.map(({ operation }) => operation));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((tag) => asked.includes(tag))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
  });

  test('no field is named by a keyword of Python, which cannot be one in a class', async () => {
    const { document } = await startWithDocument();
    const names = placesIn(document.components.schemas).flatMap(({ schema }) =>
      Object.keys((schema['properties'] ?? {}) as object),
    );
    const keywords =
      'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => keywords.split(' ').includes(name))).toEqual([]);
  });

  test('no inline object or enum gets the name of a component', async () => {
    const { schemas } = (await startWithDocument()).document.components;
    const names = new Set(Object.keys(schemas).map((name) => name.toLowerCase()));
    const clashes = Object.entries(schemas)
      .flatMap(([parent, schema]) => innerSchemas(schema).flatMap((inner) => inlineNames(parent, inner)))
      .filter((name) => names.has(name.toLowerCase()));
    expect(clashes).toEqual([]);
  });

  test('an enumeration of several schemas and parameters is one component: types of copies cannot be assigned to each other', async () => {
    const { document } = await startWithDocument();
    const { schemas, ...rest } = document.components;
    const values = ({ schema }: Place) => JSON.stringify(schema['enum']);
    const inline = placesIn([{ ...document, components: rest }, schemas])
      .filter(({ at, schema }) => Array.isArray(schema['enum']) && !/^\/1\/\w+$/.test(at))
      .map(values);
    expect(inline.filter((text, index) => inline.indexOf(text) !== index)).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(Object.keys(ENUMERATIONS)));
    const of = (name: string) => `"$ref":"#/components/schemas/${name}"`;
    for (const name of ['AlertType', 'Category', 'Side']) {
      expect(JSON.stringify(document.paths['/api/v1/alerts']?.['get']?.parameters)).toContain(of(name));
      expect(JSON.stringify(schemas['Alert'])).toContain(of(name));
    }
    expect(JSON.stringify(schemas['KeyInfo'])).toContain(of('Tier'));
  });

  test('an enum or constant is text: generators make enums of text of others, which refuse what is sent', async () => {
    const { document } = await startWithDocument();
    const allowed = placesIn({
      paths: document.paths,
      webhooks: document.webhooks,
      ...document.components,
    }).map(({ at, schema }) => ({ at, values: [schema['const'] ?? [], schema['enum'] ?? []].flat() }));
    expect(allowed.filter(({ values }) => values.length > 0).length).toBeGreaterThan(10);
    const isText = (value: unknown) => typeof value === 'string';
    expect(allowed.filter(({ values }) => !values.every(isText)).map(({ at }) => at)).toEqual([]);
  });

  test('every request body has a name, and equal ones have the same', async () => {
    const { operations } = await startWithDocument();
    const bodies = operations.flatMap(({ operation: { operationId, requestBody } }) => {
      const { content } = (requestBody ?? {}) as { content?: Record<string, { schema: JsonSchema }> };
      return content === undefined ? [] : [[operationId, content['application/json']?.schema]];
    });
    expect(Object.fromEntries(bodies)).toEqual({
      createPreset: { $ref: '#/components/schemas/CreatePreset' },
      replacePreset: { $ref: '#/components/schemas/CreatePreset' },
      registerWebhook: { $ref: '#/components/schemas/RegisterWebhook' },
      updateWebhook: { $ref: '#/components/schemas/UpdateWebhook' },
    });
  });

  test('the filters of a preset are members with the types of their query parameters, in requests and in answers', async () => {
    const { document } = await startWithDocument();
    const { PresetFilters, Preset, CreatePreset } = document.components.schemas;
    const { properties } = PresetFilters as { properties: Record<string, { anyOf: JsonSchema[] }> };
    const known = (document.paths['/api/v1/alerts']?.['get']?.parameters ?? []).map(({ name }) => name);
    const notStored = ['before_id', 'since_id', 'expand', 'preset'];
    expect(Object.keys(properties)).toEqual(known.filter((name) => !notStored.includes(name)));
    expect(properties['category']?.anyOf[0]).toEqual({ $ref: '#/components/schemas/Category' });
    expect(properties['min_signal']?.anyOf).toEqual([
      { type: 'integer', minimum: 0, maximum: 100 },
      { type: 'null' },
    ]);
    expect(PresetFilters).toHaveProperty('additionalProperties.$ref', '#/components/schemas/FilterValue');
    for (const schema of [Preset, CreatePreset]) {
      expect(schema).toHaveProperty('properties.filters.$ref', '#/components/schemas/PresetFilters');
    }
  });

  test('answers are open: a new field breaks no client that validates', async () => {
    const { document } = await startWithDocument();
    const closed = placesIn(document).filter(({ schema }) => schema['additionalProperties'] === false);
    expect(closed.map(({ at }) => at)).toEqual([
      '/components/schemas/GivenWebhookFilters',
      '/components/schemas/RegisterWebhook',
      '/components/schemas/UpdateWebhook',
    ]);
  });

  test('every number is an integer or a double: money does not fit the 32 bits that some languages take', async () => {
    const { document } = await startWithDocument();
    const numbers = placesIn(document).filter(({ schema }) => [schema['type']].flat().includes('number'));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(({ schema }) => schema['format'] !== 'double').map(({ at }) => at)).toEqual([]);
    const { properties } = document.components.schemas['Preview'] as { properties: object };
    expect(properties).toHaveProperty('days.type', 'integer');
  });
});
