import type { RecordStore, StoredRecord } from '../../../core/record/record-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';

interface RecordRow extends StoredRecord {
  readonly name: string;
}

export const RECORDS: Declaration<RecordRow> = {
  name: 'records',
  fields: { name: 'text', at: 'integer', report: 'json' },
  key: ['name'],
};

/** The one document. */
const NAME = 'record';

export function createRecordStore(open: OpenCollection): RecordStore {
  const records = open(RECORDS);
  return {
    async put(record) {
      await records.put({ name: NAME, ...record });
    },
    async get() {
      const found = await records.get(NAME);
      return found === null ? null : { at: found.at, report: found.report };
    },
  };
}
