import { type Connection, type Model, Schema } from 'mongoose';
import type { MarketResolution, ResolutionStore } from '../../core/alerts/resolution-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface ResolutionDocument extends Omit<MarketResolution, 'marketId'> {
  readonly _id: string;
}

const TOTALS_INDEX = { resolved: 1, won: 1 } as const;

const logSchema = new Schema<NonNullable<MarketResolution['log']>>(
  { sequence: Number, hash: String, at: Number },
  { _id: false },
);

const resolutionSchema = new Schema<ResolutionDocument>(
  {
    _id: String,
    seq: Number,
    outcomes: [String],
    payouts: [Number],
    resolved: Number,
    won: Number,
    log: logSchema,
  },
  { ...SCHEMA_OPTIONS, collection: 'resolutions' },
);
resolutionSchema.index({ seq: 1 }, { unique: true });
resolutionSchema.index(TOTALS_INDEX);

export function createResolutionModel(connection: Connection): Model<ResolutionDocument> {
  return connection.model<ResolutionDocument>('Resolution', resolutionSchema);
}

export function createMongoResolutionStore(resolutions: Model<ResolutionDocument>): ResolutionStore {
  return {
    // Where the market has a newer row this inserts, which its id refuses.
    async put({ marketId, ...fields }) {
      const older = { _id: marketId, seq: { $lte: fields.seq } };
      await resolutions.replaceOne(older, fields, { upsert: true });
    },
    async get(marketId) {
      const document = await resolutions.findById(marketId).lean();
      return document === null ? null : toResolution(document);
    },
    async after(seq, limit) {
      const query = resolutions.find({ seq: { $gt: seq } }).sort({ seq: 1 });
      return (await query.limit(limit).readConcern('majority').lean()).map(toResolution);
    },
    async lastSeq() {
      const newest = resolutions.find({}, { seq: 1 }).sort({ seq: -1 }).limit(1);
      const [last] = await newest.readConcern('majority').lean();
      return last?.seq ?? 0;
    },
    totals: () => resolutionTotals(resolutions),
  };
}

export async function resolutionTotals(
  resolutions: Model<ResolutionDocument>,
): Promise<{ resolved: number; won: number }> {
  const [sums] = await resolutions
    .aggregate<{ resolved: number; won: number }>([
      { $match: { resolved: { $gt: 0 } } },
      { $group: { _id: null, resolved: { $sum: '$resolved' }, won: { $sum: '$won' } } },
      { $project: { _id: 0 } },
    ])
    .hint(TOTALS_INDEX);
  return sums ?? { resolved: 0, won: 0 };
}

function toResolution({ _id, ...fields }: ResolutionDocument): MarketResolution {
  return { marketId: _id, ...fields };
}
