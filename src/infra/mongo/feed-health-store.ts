import { type Connection, type Model, Schema } from 'mongoose';
import type { BlindWindow } from '../../core/feed-health/blind-window.ts';
import {
  type FeedHealthStore,
  type FeedPosition,
  UNSETTLED_WINDOWS_MAX,
} from '../../core/feed-health/feed-health-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface BlindWindowDocument extends Omit<BlindWindow, 'id'> {
  readonly _id: string;
}

export interface FeedPositionDocument extends FeedPosition {
  readonly _id: string;
}

const POSITION = 'polymarket';
const NEWEST_FIRST = { startedAt: -1, _id: -1 } as const;

const windowSchema = new Schema<BlindWindowDocument>(
  { _id: String, startedAt: Number, endedAt: Number, cause: String, backfilledAt: Number },
  { ...SCHEMA_OPTIONS, collection: 'blind_windows' },
);
windowSchema.index(NEWEST_FIRST);

const positionSchema = new Schema<FeedPositionDocument>(
  { _id: String, since: Number, confirmedUntil: Number, oldestWaiting: Number },
  { ...SCHEMA_OPTIONS, collection: 'feed_position' },
);

export function createBlindWindowModel(connection: Connection): Model<BlindWindowDocument> {
  return connection.model<BlindWindowDocument>('BlindWindow', windowSchema);
}

export function createFeedPositionModel(connection: Connection): Model<FeedPositionDocument> {
  return connection.model<FeedPositionDocument>('FeedPosition', positionSchema);
}

export function createMongoFeedHealthStore(models: {
  readonly blindWindows: Model<BlindWindowDocument>;
  readonly feedPositions: Model<FeedPositionDocument>;
}): FeedHealthStore {
  const { blindWindows, feedPositions } = models;
  return {
    async putWindow({ id, ...window }) {
      await blindWindows.replaceOne({ _id: id }, window, { upsert: true });
    },
    async windows({ since, until, limit }) {
      const found = await blindWindows
        .find({ startedAt: { $lte: until }, $or: [{ endedAt: null }, { endedAt: { $gte: since } }] })
        .sort(NEWEST_FIRST)
        .limit(limit)
        .lean();
      return found.map(toWindow);
    },
    async unsettled(since) {
      const found = await blindWindows
        .find({ $or: [{ endedAt: null }, { backfilledAt: null, startedAt: { $gte: since } }] })
        .sort(NEWEST_FIRST)
        .limit(UNSETTLED_WINDOWS_MAX)
        .lean();
      return found.map(toWindow);
    },
    async readPosition() {
      const found = await feedPositions.findById(POSITION).lean();
      if (found === null) return null;
      const { since, confirmedUntil, oldestWaiting } = found;
      return { since, confirmedUntil, oldestWaiting };
    },
    async writePosition(position) {
      await feedPositions.replaceOne({ _id: POSITION }, position, { upsert: true });
    },
  };
}

function toWindow({ _id: id, startedAt, endedAt, cause, backfilledAt }: BlindWindowDocument): BlindWindow {
  return { id, startedAt, endedAt, cause, backfilledAt };
}
