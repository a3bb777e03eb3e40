import { type Connection, mongo } from 'mongoose';
import type { Alert } from '../../../core/alerts/alert.ts';
import { LEASE } from '../stores/lease-store.ts';
import {
  releasedLease,
  type TablePosition,
  type TableRow,
  type TransferTable,
} from '../transfer/transfer-table.ts';
import { type AlertDocument, toAlert, toAlertDocument } from './alert-model.ts';
import { listingOf } from './alert-store.ts';
import { SNAPSHOTS_OF, snapshotKey, sourceOfKey } from './ingest-store.ts';
import type { SnapshotPointer } from './models.ts';
import { MongoFields, SLOT, type StoredDocument } from './mongo-fields.ts';
import { nativeCollection } from './native-collection.ts';

/** A collection as rows that both databases share. */
export interface MongoRowTable {
  read(after: TablePosition | null, limit: number): Promise<readonly TableRow[]>;
  /** Inserts rows; those whose key is there are left unchanged. */
  insert(rows: readonly TableRow[]): Promise<void>;
}

/** How documents are read: in a session at one moment, or what a majority has. */
export type ReadOptions = Pick<mongo.FindOptions, 'session' | 'readConcern'>;

export function mongoRowTable(
  connection: Connection,
  table: TransferTable,
  options: ReadOptions,
): MongoRowTable {
  if (table.form === 'snapshot') return snapshotTable(connection, options);
  if (table.form === 'alert') return alertTable(connection, options);
  const plain = declaredTable(connection, table, options);
  return table.form === 'lease' ? leaseTable(connection, plain) : plain;
}

/** Documents in the order of `_id`. */
function pages(collection: mongo.Collection<StoredDocument>, options: ReadOptions) {
  return (after: string | number | null, limit: number) =>
    collection
      .find(after === null ? {} : { _id: { $gt: after } }, options)
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
}

function declaredTable(
  connection: Connection,
  { name, form, declaration }: TransferTable,
  options: ReadOptions,
): MongoRowTable {
  const collection = nativeCollection(connection, name);
  const fields = new MongoFields(declaration);
  const page = pages(collection, options);
  const { cappedBy, mongoExtras } = declaration;
  const documentOf = ({ pastRequests, ...row }: TableRow): StoredDocument => ({
    _id: fields.idOf(row),
    ...fields.encode(row),
    ...mongoExtras,
    // As keys are that were not inserted within a cap.
    ...(form === 'key' && { [SLOT]: null, pastRequests }),
  });
  const rowOf = (document: StoredDocument): TableRow =>
    form === 'key'
      ? { ...fields.toRow(document), pastRequests: [...(document['pastRequests'] ?? [])].sort() }
      : fields.toRow(document);
  return {
    read: async (after, limit) => (await page(after === null ? null : fields.id(after), limit)).map(rowOf),
    async insert(rows) {
      const documents = rows.map(documentOf);
      await insertMissing(
        collection,
        cappedBy === undefined ? documents : await withSlots(collection, cappedBy, documents),
      );
    },
  };
}

/** Each document with a slot that is free among those that it counts with. */
async function withSlots(
  collection: mongo.Collection<StoredDocument>,
  cappedBy: string,
  documents: readonly StoredDocument[],
): Promise<readonly StoredDocument[]> {
  const groups = [...new Set(documents.map((document) => document[cappedBy]))];
  const held = await collection
    .find({ [cappedBy]: { $in: groups } }, { projection: { [cappedBy]: 1, [SLOT]: 1 } })
    .toArray();
  const taken = Map.groupBy(held, (document) => document[cappedBy]);
  const next = new Map(
    groups.map((group) => [
      group,
      1 + Math.max(-1, ...(taken.get(group) ?? []).map((each) => Number(each[SLOT]))),
    ]),
  );
  return documents.map((document) => {
    const slot = next.get(document[cappedBy]) ?? 0;
    next.set(document[cappedBy], slot + 1);
    return { ...document, [SLOT]: slot };
  });
}

/** An alert is written after the listings that it names. */
function alertTable(connection: Connection, options: ReadOptions): MongoRowTable {
  const alerts = nativeCollection(connection, 'alerts');
  const listings = nativeCollection(connection, 'listings');
  const page = pages(alerts, options);
  const known = new Set<string>();
  return {
    read: async (after, limit) =>
      (await page(after === null ? null : Number(after[0]), limit)).map(
        (document) => toAlert(document as unknown as AlertDocument) as unknown as TableRow,
      ),
    async insert(rows) {
      const found = (rows as unknown as readonly Alert[]).map((alert) => ({
        alert,
        listing: listingOf(alert),
      }));
      const added = new Map(found.map(({ listing }) => [listing._id, listing]));
      for (const id of known) added.delete(id);
      await insertMissing(listings, [...added.values()] as unknown as StoredDocument[]);
      for (const id of added.keys()) known.add(id);
      const documents = found.map(({ alert, listing }) => toAlertDocument(alert, listing._id));
      await insertMissing(alerts, documents as unknown as StoredDocument[]);
    },
  };
}

/** Fields of the ingest lease, few enough for one page. */
function snapshotTable(connection: Connection, options: ReadOptions): MongoRowTable {
  const leases = nativeCollection(connection, LEASE.name);
  return {
    async read(after) {
      if (after !== null) return [];
      const lease = await leases.findOne({ _id: 'ingest' }, options);
      const found: Readonly<Record<string, SnapshotPointer>> = lease?.[SNAPSHOTS_OF] ?? {};
      const rows = Object.entries(found).map(
        ([key, { checkpoint, sets }]): TableRow => ({ source: sourceOfKey(key), checkpoint, sets }),
      );
      return rows.sort((a, b) => (String(a['source']) < String(b['source']) ? -1 : 1));
    },
    async insert(rows) {
      for (const { source, checkpoint, sets } of rows) {
        const $set = { [`${SNAPSHOTS_OF}.${snapshotKey(String(source))}`]: { checkpoint, sets } };
        const $setOnInsert = { epoch: 0, owner: null, expiresAt: 0 };
        await leases.updateOne({ _id: 'ingest' }, { $set, $setOnInsert }, { upsert: true });
      }
    },
  };
}

/** The ingest lease may be there already: it has the snapshots. */
function leaseTable(connection: Connection, plain: MongoRowTable): MongoRowTable {
  const leases = nativeCollection(connection, LEASE.name);
  return {
    read: async (...range) => (await plain.read(...range)).map(releasedLease),
    async insert(rows) {
      for (const { name, ...$set } of rows) {
        const update = { $set, $setOnInsert: { [SNAPSHOTS_OF]: {} } };
        await leases.updateOne({ _id: String(name) }, update, { upsert: true });
      }
    },
  };
}

const DUPLICATE_KEY = 11_000;

async function insertMissing(
  collection: mongo.Collection<StoredDocument>,
  documents: readonly StoredDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const isThere = ({ code, errmsg = '' }: mongo.WriteError) =>
      code === DUPLICATE_KEY && errmsg.includes('index: _id_ ');
    if (![error.writeErrors].flat().every(isThere)) throw error;
  }
}
