import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/http/documents/openapi-types.ts';
import { ENUMERATIONS } from '../../src/http/documents/shared-schemas.ts';
import { startWithDocument } from '../support/documented-api.ts';

interface Place {
  readonly at: string;
  readonly schema: JsonSchema;
}

/** Every object of the document that may be a schema. */
function placesIn(value: unknown, at = ''): Place[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.entries(value).flatMap(([key, child]) => placesIn(child, `${at}/${key}`));
  return Array.isArray(value) ? below : [{ at, schema: value as JsonSchema }, ...below];
}

describe('the OpenAPI document, as generators of clients read it', () => {
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

  test('answers are open: a new field breaks no client that validates', async () => {
    const { document } = await startWithDocument();
    const closed = placesIn(document).filter(({ schema }) => schema['additionalProperties'] === false);
    expect(closed.map(({ at }) => at)).toEqual([
      '/components/schemas/GivenWebhookFilters',
      '/components/schemas/RegisterWebhook',
      '/components/schemas/UpdateWebhook',
    ]);
  });

  test('an object has optional properties or typed others, not both: no index signature fits optional properties', async () => {
    const { document } = await startWithDocument();
    const typed = placesIn(document).filter(({ schema }) =>
      Object.keys(Object(schema['additionalProperties'])).some((keyword) => keyword !== 'description'),
    );
    expect(typed.filter(({ schema }) => schema['properties'] !== undefined).map(({ at }) => at)).toEqual([]);
    expect(document.components.schemas['PresetFilters']).toHaveProperty(['patternProperties', '^']);
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
