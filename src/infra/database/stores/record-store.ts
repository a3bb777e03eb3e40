import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { RecordStore } from '../../../core/record/record-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';

interface RecordRow {
  readonly name: string;
  readonly at: number;
  /** Deflated: a document of MongoDB has at most 16 MB. */
  readonly text: Uint8Array;
}

export const RECORDS: Declaration<RecordRow> = {
  name: 'records',
  fields: { name: 'text', at: 'integer', text: 'bytes' },
  key: ['name'],
};

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Megabytes are deflated in another thread. */
export function createRecordStore(open: OpenCollection): RecordStore {
  const records = open(RECORDS);
  return {
    async put({ name, at, text }) {
      await records.put({ name, at, text: await deflate(text) });
    },
    async get(name) {
      const found = await records.get(name);
      return found === null ? null : { ...found, text: (await inflate(found.text)).toString('utf8') };
    },
    async at(name) {
      const [found] = await records.pick(['at'], { where: { name } });
      return found?.at ?? null;
    },
  };
}
