import type { Answer, Operation, Parameter } from '../../src/http/documents/openapi-types.ts';
import { resolved, type Schemas } from '../../src/http/schemas/json-schema.ts';

export type ClientList = NonNullable<ReturnType<typeof listOf>>;

/** The part of the answer that has the items of each list. */
const LISTS: Readonly<Record<string, readonly [name: string, items: string]>> = {
  searchAlerts: ['iterAlerts', 'alerts'],
  getWallet: ['iterWalletAlerts', 'alerts'],
  getMarket: ['iterMarketAlerts', 'alerts'],
  listOutcomes: ['iterOutcomes', 'outcomes'],
  getOutcome: ['iterOutcomeAlerts', 'alerts'],
  listExits: ['iterExits', 'exits'],
  listEvents: ['iterEvents', 'events'],
  getCoverage: ['iterCoverageWindows', 'windows'],
  listWebhookDeliveries: ['iterDeliveries', 'deliveries'],
};
/** The beginning of another list. */
const NOT_ITERATED = ['getLatestAlerts'];
const SIZES = ['page_size', 'limit'];

/** The list of an operation; null if its answers are whole. Throws if the document and the names here disagree. */
export function listOf({ operationId = '', parameters = [], responses }: Operation, schemas: Schemas) {
  const success: Answer = responses['200'] ?? {};
  const isPaged = 'Link' in (success.headers ?? {}) && !NOT_ITERATED.includes(operationId);
  const [name, items] = LISTS[operationId] ?? [];
  if (isPaged !== (name !== undefined)) throw new Error(`${operationId}: scripts/clients/lists.ts is wrong`);
  if (name === undefined || items === undefined) return null;
  const schema = success.content?.['application/json']?.schema ?? {};
  const item = resolved(schema, schemas).properties?.[items]?.items;
  if (item === undefined) throw new Error(`${operationId} has no list ${items}`);
  return { name, items, item, defaults: defaultsOf(parameters) };
}

/** The first page and the largest size: fewest requests. */
function defaultsOf(parameters: readonly Parameter[]): Readonly<Record<string, number>> {
  const values = parameters.flatMap(({ name, schema }): [string, number][] => {
    if (name === 'page') return [[name, 1]];
    return SIZES.includes(name) ? [[name, Number(schema['maximum'])]] : [];
  });
  return Object.fromEntries(values);
}
