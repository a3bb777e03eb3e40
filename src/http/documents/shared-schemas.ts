import { TIERS } from '../../core/accounts/tier.ts';
import { EXIT_STATES } from '../../core/alerts/exits/exit-reader.ts';
import { SETTLEMENT_KINDS } from '../../core/alerts/settlements/settlement-reader.ts';
import { DELIVERY_ERRORS, DELIVERY_STATES } from '../../core/delivery/webhooks/delivery.ts';
import { WEBHOOK_FORMATS } from '../../core/delivery/webhooks/webhook-format.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { EXIT_KINDS, EXIT_LEVELS } from '../../core/detection/found-exit.ts';
import { RECORD_VERDICTS } from '../../core/record/record-report.ts';
import { BLIND_CAUSES, WINDOW_CAUSES } from '../../core/trades/coverage/blind-window.ts';
import { CATEGORIES, SIDES } from '../../core/trades/trade.ts';
import { FILTER_VALUE } from '../query/filter-values.ts';
import type { ApiDocument, JsonSchema } from './openapi-types.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';

const oneOf = (values: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: values,
  description,
});

export const ENUMERATIONS: Schemas = {
  AlertType: oneOf(ALERT_TYPES, 'Why a trade was suspicious.'),
  BlindWindowCause: oneOf(WINDOW_CAUSES, 'Why the market could not be observed.'),
  Category: oneOf(CATEGORIES, 'Category of a market.'),
  DeliveryError: oneOf(DELIVERY_ERRORS, 'Why an attempt to deliver failed.'),
  DeliveryStatus: oneOf(DELIVERY_STATES, 'State of a delivery.'),
  ExitKind: oneOf(EXIT_KINDS, 'How most of the shares of an exit were disposed of.'),
  ExitLevel: oneOf(EXIT_LEVELS, 'How far a position was left.'),
  ExitState: oneOf(EXIT_STATES, 'How far a position is known to have been left.'),
  Expand: oneOf(['details'], 'What an answer includes in addition.'),
  FeedReason: oneOf(BLIND_CAUSES, 'Why the market cannot be read.'),
  OutcomeKind: oneOf(SETTLEMENT_KINDS, 'Whether an outcome is the first of its market or replaces one.'),
  RecordVerdict: oneOf(RECORD_VERDICTS, 'What the bettors of the record show.'),
  Side: oneOf(SIDES, 'Direction of a trade.'),
  Tier: oneOf(TIERS, 'Tier of a key.'),
  WebhookFormat: oneOf(WEBHOOK_FORMATS, 'How deliveries are written.'),
};

/** Components beside the enumerations: some generators support null among several types in a component only. */
const NAMED: Schemas = { ...ENUMERATIONS, FilterValue: FILTER_VALUE };

/** Components of requests and answers alike: a copy in a request becomes a reference. */
const OF_BOTH = ['PresetFilters'];

/** Keywords that do not change which values are valid. */
const ANNOTATIONS = new Set(['description', 'examples', 'default']);

/** Generators make a type of each copy of a schema, and a value of one type cannot be assigned to another. */
export function shareSchemas(document: ApiDocument): ApiDocument {
  const { components, ...rest } = refer(document, NAMED);
  const schemas = { ...components.schemas, ...NAMED };
  const ofBoth = Object.fromEntries(Object.entries(schemas).filter(([name]) => OF_BOTH.includes(name)));
  const patterned = Object.fromEntries(
    Object.entries(ofBoth).map(([name, schema]) => [name, withPattern(schema)]),
  );
  return { ...refer(rest, ofBoth), components: { ...components, schemas: { ...schemas, ...patterned } } };
}

/**
 * Other names as a pattern: of `additionalProperties` generators make an index signature, which optional properties do not
 * fit. Not in the schema of the route, where @fastify/swagger makes `additionalProperties` of a pattern.
 */
function withPattern({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, patternProperties: { '^': additionalProperties } };
}

/** Replaces each copy of a component by a reference. What the copy is described as stays beside the reference. */
export function refer<Value>(value: Value, components: Schemas): Value {
  const names = new Map(Object.entries(components).map(([name, schema]) => [meaningOf(schema), name]));
  return replaceCopies(value, names) as Value;
}

function replaceCopies(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((child) => replaceCopies(child, names));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const name = names.get(meaningOf(value));
  if (name === undefined) {
    return Object.fromEntries(entries.map(([key, child]) => [key, replaceCopies(child, names)]));
  }
  return { $ref: PREFIX + name, ...Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key))) };
}

function meaningOf(schema: object): string {
  const keywords = Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key));
  return JSON.stringify(keywords.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
