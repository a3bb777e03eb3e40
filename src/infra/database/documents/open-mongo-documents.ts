import type { Connection } from 'mongoose';
import { DATABASE_TIMEOUT_MS } from '../../../core/base/database-errors.ts';
import type { Declaration, Identified, OpenDocuments } from '../../../core/base/documents/documents.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { nativeCollection } from '../mongo/connect.ts';
import { VERSIONS } from '../mongo/schema.ts';
import { kindVersion, requireKind } from './kind-version.ts';
import { MongoDocuments, mongoIndexes } from './mongo-documents.ts';

/** The first call of a kind is `createKind`'s, too: a kind that no start knows is made then. */
export function openMongoDocuments(connection: Connection, clock: Pick<Clock, 'sleep'>): OpenDocuments {
  const opened = new Map<string, Promise<void>>();
  return (declaration) => {
    const { kind } = declaration;
    const ready = () => {
      const known = opened.get(kind) ?? createKind(connection, declaration);
      opened.set(kind, known);
      // The caller gets the failure, and the next call tries again.
      known.catch(() => opened.delete(kind));
      return known;
    };
    return new MongoDocuments(connection, declaration, { clock, ready });
  };
}

/** Creates the collection and the indexes of a kind where they are missing. Throws `SchemaMismatch` for documents of another build. */
export async function createKind<T extends Identified>(
  connection: Connection,
  declaration: Declaration<T>,
): Promise<void> {
  const { kind } = declaration;
  const versions = nativeCollection(connection, VERSIONS);
  const found = await versions.findOne({ _id: kind }, { maxTimeMS: DATABASE_TIMEOUT_MS });
  if (found !== null) requireKind(declaration, Number(found['version']));
  const indexes = mongoIndexes(declaration);
  if (indexes.length > 0) await nativeCollection(connection, kind).createIndexes(indexes);
  if (found !== null) return;
  const version = kindVersion(declaration);
  await versions.updateOne({ _id: kind }, { $setOnInsert: { version } }, { upsert: true });
}
