import type { Connection } from 'mongoose';
import { FIRST_VERSION, requireOpenable } from '../schema-version.ts';
import type { BuildLog } from './ensure-indexes.ts';
import { ensureIndexes } from './ensure-indexes.ts';
import { nativeCollection } from './native-collection.ts';

/**
 * Moves data; the collections and indexes of this build exist before it runs. It may be run again after a crash, or by two
 * processes at the same time.
 */
type Step = (connection: Connection) => Promise<void>;

/** Step n, from 1, leads to version `FIRST_VERSION` + n; one that was released never changes. */
const STEPS: readonly Step[] = [];

/** The collection with the version of the schema, and the progress of a transfer. */
export const VERSIONS = 'schema_version';

/** The version of this build. */
export const SCHEMA_VERSION = FIRST_VERSION + STEPS.length;

/** `migrates`: as a start does. Without it a database of this build's version is left as it is. */
export interface MigrateOptions extends BuildLog {
  readonly migrates: boolean;
  readonly steps?: readonly Step[];
}

/**
 * Creates what is missing of this build's collections and indexes, at every start: a restore may have left them out. Brings the data
 * of an earlier step forward; throws `SchemaMismatch` for a database that this build must not open.
 */
export async function migrate(
  connection: Connection,
  { migrates, steps = STEPS, ...log }: MigrateOptions,
): Promise<void> {
  const versions = nativeCollection(connection, VERSIONS);
  const known = FIRST_VERSION + steps.length;
  const found = Number((await versions.findOne({ _id: 'schema' }))?.['version'] ?? 0);
  requireOpenable(found, known, migrates);
  if (found === known && !migrates) return;
  await ensureIndexes(connection, log);
  if (found === known) return;
  if (found > 0) for (const step of steps.slice(found - FIRST_VERSION)) await step(connection);
  // `$max`: never back, should a newer build have come in between.
  await versions.updateOne({ _id: 'schema' }, { $max: { version: known } }, { upsert: true });
}
