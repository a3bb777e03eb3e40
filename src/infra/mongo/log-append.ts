import type { Connection } from 'mongoose';
import type { LogStore } from '../../core/log/log-store.ts';
import { LOG } from '../stores/log-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { nativeCollection } from './mongo-collection.ts';

/** The primary alone: an entry that it loses in an election is found missing by the next one. */
const PRIMARY_ALONE = { writeConcern: { w: 1, j: false } };

export function createMongoLogAppend(connection: Connection): LogStore['append'] {
  const log = nativeCollection(connection, LOG.name);
  return async ({ sequence, body, ...fields }, options) => {
    const previous = { _id: sequence - 1 };
    const isNext = sequence === 1 || (await log.findOne(previous, { projection: { _id: 1 } })) !== null;
    if (!isNext) throw new Error(`log: no entry ${sequence - 1}, so that ${sequence} cannot be appended`);
    try {
      const document = { _id: sequence, ...fields, body: JSON.stringify(body) };
      await log.insertOne(document, options?.isRestorable === true ? PRIMARY_ALONE : {});
      return 'appended';
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  };
}
