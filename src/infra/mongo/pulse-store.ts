import { type Connection, type Model, Schema } from 'mongoose';
import type { Pulse, PulseStore } from '../../core/ports/pulse-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `checks` is JSON text, as nothing is ever asked of its inside. */
export interface PulseDocument extends Omit<Pulse, 'owner' | 'checks'> {
  readonly _id: string;
  readonly checks: string;
}

const pulseSchema = new Schema<PulseDocument>(
  { _id: String, roles: [String], at: Number, checks: String },
  { ...SCHEMA_OPTIONS, collection: 'pulses' },
);

export function createPulseModel(connection: Connection): Model<PulseDocument> {
  return connection.model<PulseDocument>('Pulse', pulseSchema);
}

export function createMongoPulseStore(pulses: Model<PulseDocument>): PulseStore {
  return {
    async beat({ owner, roles, at, checks }) {
      const $set = { roles, at, checks: JSON.stringify(checks) };
      await pulses.updateOne({ _id: owner }, { $set }, { upsert: true });
    },
    list: async () =>
      (await pulses.find().sort({ at: -1, _id: 1 }).lean()).map(({ _id, roles, at, checks }) => ({
        owner: _id,
        roles,
        at,
        checks: JSON.parse(checks) as Pulse['checks'],
      })),
    async remove(owner) {
      await pulses.deleteOne({ _id: owner });
    },
    async prune(before) {
      await pulses.deleteMany({ at: { $lt: before } });
    },
  };
}
