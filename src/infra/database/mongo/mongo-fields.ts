import type { mongo } from 'mongoose';
import type { Condition, Scalar } from '../../../core/base/documents/documents.ts';
import { type Conditions, definedConditions } from '../documents/index-for.ts';

export interface StoredDocument extends mongo.Document {
  readonly _id: string | number;
}

export type MongoFilter = mongo.Filter<StoredDocument>;

export function filterOf(where: Conditions, pathOf: (path: string) => string): MongoFilter {
  const conditions = Object.entries(definedConditions(where));
  return Object.fromEntries(
    conditions.map(([path, condition]) => [pathOf(path), operatorsOf(condition)]),
  ) as MongoFilter;
}

function operatorsOf(condition: Condition<Scalar>): unknown {
  if (condition === null || typeof condition !== 'object') return condition;
  const named = Object.entries(condition).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [`$${name}`, value]));
}

/** Whether a filter names one document. The driver retries writes of one document. */
export function isOne({ _id }: MongoFilter): boolean {
  return typeof _id === 'string' || typeof _id === 'number';
}
