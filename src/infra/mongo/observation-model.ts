import type { mongo } from 'mongoose';
import type { ModelIndex } from './create-model.ts';

export interface ObservedMarketDocument {
  /** The market's id. */
  readonly _id: string;
  /** Counted from 1; the keys of its hours begin with it. */
  readonly number: number;
  /** Of the lease under which it was written last. */
  readonly epoch: number;
  readonly isOpen: boolean;
  /** JSON of the whole market. */
  readonly body: string;
}

export interface ObservedHourDocument {
  /** `hourKey`. */
  readonly _id: number;
  readonly epoch: number;
  /** Packed by `packText`. */
  readonly text: mongo.Binary;
}

export const OBSERVED_MARKET_INDEXES: readonly ModelIndex[] = [
  [{ number: 1 }, { unique: true }],
  [{ isOpen: 1, _id: 1 }, { partialFilterExpression: { isOpen: true } }],
];
