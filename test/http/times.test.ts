import { expect, test } from 'vitest';
import type { JsonSchema } from '../../src/http/documents/openapi-types.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.source;
/** The formats of the contract, for its fields and for those that have its names or stand beside them. */
const CONTRACT = [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.source, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.source];
const IN_CONTRACT_FORMAT = [
  ...['Alert', 'AlertItem', 'AlertPrice', 'LatestAlert', 'SampleAlert', 'WalletCluster'],
  ...['Preset', 'Webhook', 'WebhookDelivery'],
].map((name) => `${name}.created_at`);
const OTHERS = [
  ...['HotMarket.latest_alert', 'Preview.since', 'Preview.until', 'Wallet.first_seen'],
  ...['Webhook.secret_rotated_at', 'WebhookDelivery.finished_at'],
  'WebhookSecretRotated.previous_secret_valid_until',
];

/** Times that are given: several formats are accepted. */
const GIVEN = ['CreatePreset.created_at', 'PresetFilters.since', 'PresetFilters.until'];

const NAME = /(^|_)(at|since|until|seen)$|^as_of$|^latest_alert$|^end_date$/;
const VALUE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

interface Field {
  readonly name: string;
  readonly pattern: unknown;
}

/** By their names, their formats, and the examples of the schemas they are in. */
function timesOf(schemas: Readonly<Record<string, JsonSchema>>): Field[] {
  const found = new Map<string, Field>();
  const resolved = (schema: JsonSchema): JsonSchema =>
    schemas[String(schema['$ref']).replace(/.*\//, '')] ?? schema;
  const visit = (path: string, given: JsonSchema, example: unknown): void => {
    const { properties = {}, items, anyOf = [], title, ...schema } = resolved(given);
    const [one] = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
    if (one !== undefined) {
      visit(path, one, example);
      return;
    }
    const isNamed = [schema['type']].flat().includes('string') && NAME.test(path.replace(/.*\./, ''));
    const isTime =
      isNamed || schema['format'] === 'date-time' || (typeof example === 'string' && VALUE.test(example));
    if (isTime && schema['format'] !== 'date') found.set(path, { name: path, pattern: schema['pattern'] });
    const [item] = Array.isArray(example) ? example : [];
    if (items !== undefined && !('$ref' in (items as object))) visit(path, items as JsonSchema, item);
    for (const [name, field] of Object.entries(properties as Record<string, JsonSchema>)) {
      if ('$ref' in field) continue;
      visit(`${path}.${name}`, field, (example as Record<string, unknown> | undefined)?.[name]);
    }
  };
  for (const [name, schema] of Object.entries(schemas))
    visit(name, schema, (schema['examples'] as unknown[] | undefined)?.[0]);
  return [...found.values()];
}

test('every time of an answer has a pattern: ISO 8601 with milliseconds and Z, or the contract’s in the fields that had it', async () => {
  const { document, baseUrl } = await startWithDocument();
  const stream = (await ask(`${baseUrl}/api/v1/asyncapi.json`)).body;
  const payloads = Object.entries(stream.components.messages as Record<string, { payload: JsonSchema }>).map(
    ([name, { payload }]): [string, JsonSchema] => [`frame ${name}`, payload],
  );
  const times = timesOf({
    ...document.components.schemas,
    ...stream.components.schemas,
    ...Object.fromEntries(payloads),
  });
  const inContractFormat = times.filter(({ pattern }) => CONTRACT.includes(String(pattern)));
  expect(inContractFormat.map(({ name }) => name).sort()).toEqual([...IN_CONTRACT_FORMAT, ...OTHERS].sort());
  const others = times.filter((time) => !inContractFormat.includes(time) && !GIVEN.includes(time.name));
  expect(others.filter(({ pattern }) => pattern !== ISO)).toEqual([]);
  expect(others.length).toBeGreaterThan(20);
});
