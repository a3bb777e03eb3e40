import type { Operation, Parameter } from '../../src/http/documents/openapi-types.ts';
import { bodySchemaOf, type DocumentedOperation } from '../../test/support/fuzz/document-parts.ts';

export interface Resources {
  readonly alert: number;
  readonly wallet: string;
  readonly market: string;
  readonly preset: string;
  readonly webhook: string;
}

interface Arguments {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A line for each operation that has required parameters or a body; others are called without any. */
function argumentsOf(resources: Resources): Readonly<Record<string, Arguments>> {
  const { alert, wallet, market, preset, webhook } = resources;
  const filters = { min_signal: 1, side: 'BUY' };
  return {
    createPreset: { body: { name: 'A', filters } },
    deletePreset: { values: { id: preset } },
    deleteWebhook: { values: { webhook_id: webhook } },
    endPresetFeed: { values: { id: preset } },
    getAlert: { values: { id: alert } },
    getCoverage: { values: { limit: 3 } },
    getExit: { values: { number: 1 } },
    getHotMarkets: { values: { period: '30d', limit: 3 } },
    getLatestAlerts: { values: { limit: 3 } },
    getLog: { values: { after: 0, limit: 3 } },
    getMarket: { values: { market_id: market } },
    getOutcome: { values: { number: 1 } },
    getPreset: { values: { id: preset } },
    getWallet: { values: { address: wallet } },
    getWebhook: { values: { webhook_id: webhook } },
    listWebhookDeliveries: { values: { webhook_id: webhook, limit: 3 } },
    previewFilter: { values: { category: 'tech', min_usdc: 1000.5 } },
    // What the archive has of a delivery that ended.
    redeliverWebhook: { values: { webhook_id: 'wh_archive', delivery_id: 'msg_2_archive' } },
    registerWebhook: { body: { url: 'https://example.com/crypto', categories: 'crypto', min_signal: 70 } },
    renewPresetFeed: { values: { id: preset } },
    replacePreset: { values: { id: preset }, body: { name: 'B', filters: {} } },
    rotateWebhookSecret: { values: { webhook_id: webhook } },
    searchAlerts: { values: { preset, min_usdc: 1000.5, resolved: true } },
    testWebhook: { values: { webhook_id: webhook } },
    updateWebhook: { values: { webhook_id: webhook }, body: { paused: true } },
  };
}

export interface Call {
  readonly operation: string;
  readonly tag: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly value: unknown }[];
  readonly body?: unknown;
  readonly bodyModel: string | null;
  /** The position of the body among the parameters where all are positional: after the required ones. */
  readonly bodyPosition: number;
}

export function callsOf(operations: readonly DocumentedOperation[], resources: Resources): Call[] {
  const given = argumentsOf(resources);
  const calls = operations.map((operation) => callOf(operation, given[operation.operationId ?? ''] ?? {}));
  const isLast = ({ operation }: Call) => operation.startsWith('delete');
  return [...calls.filter((call) => !isLast(call)), ...calls.filter(isLast)];
}

function callOf(operation: DocumentedOperation, { values = {}, body }: Arguments): Call {
  const { operationId = '', tags: [tag = ''] = [], parameters = [] } = operation;
  const missing = parameters.filter(({ name, required }) => required === true && !(name in values));
  if (missing.length > 0 || (bodySchemaOf(operation) !== null && body === undefined))
    throw new Error(`${operationId} has no arguments: add a line to scripts/generators/calls.ts`);
  const ordered = parameters.toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
  return {
    operation: operationId,
    tag,
    parameters: ordered.map(({ name, in: part }) => ({ name, in: part, value: values[name] ?? null })),
    ...(body !== undefined && { body }),
    bodyModel: body === undefined ? null : bodyModelOf(operation, operationId),
    bodyPosition: ordered.filter(isRequired).length,
  };
}

function isRequired({ required }: Parameter): boolean {
  return required === true;
}

function bodyModelOf(operation: Operation, operationId: string): string {
  const { $ref } = bodySchemaOf(operation) ?? {};
  return $ref?.split('/').at(-1) ?? `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
}
