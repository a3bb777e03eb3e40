import { type Connection, type Model, Schema } from 'mongoose';
import type { Heartbeat, HeartbeatStore } from '../../core/operations/heartbeat-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `checks` is JSON text, as nothing is ever asked of its inside. */
export interface HeartbeatDocument extends Omit<Heartbeat, 'owner' | 'checks'> {
  readonly _id: string;
  readonly checks: string;
}

const heartbeatSchema = new Schema<HeartbeatDocument>(
  { _id: String, roles: [String], at: Number, checks: String },
  { ...SCHEMA_OPTIONS, collection: 'pulses' },
);

export function createHeartbeatModel(connection: Connection): Model<HeartbeatDocument> {
  return connection.model<HeartbeatDocument>('Pulse', heartbeatSchema);
}

export function createMongoHeartbeatStore(heartbeats: Model<HeartbeatDocument>): HeartbeatStore {
  return {
    async beat({ owner, roles, at, checks }) {
      const $set = { roles, at, checks: JSON.stringify(checks) };
      await heartbeats.updateOne({ _id: owner }, { $set }, { upsert: true });
    },
    list: async () =>
      (await heartbeats.find().sort({ at: -1, _id: 1 }).lean()).map(({ _id, roles, at, checks }) => ({
        owner: _id,
        roles,
        at,
        checks: JSON.parse(checks) as Heartbeat['checks'],
      })),
    async remove(owner) {
      await heartbeats.deleteOne({ _id: owner });
    },
    async prune(before) {
      await heartbeats.deleteMany({ at: { $lt: before } });
    },
  };
}
