import { createConnection } from 'mongoose';
import { openDatabase } from '../../src/infra/database/database.ts';
import { type AlertDocument, toAlertDocument } from '../../src/infra/database/mongo/alert-model.ts';
import { createListings } from '../../src/infra/database/mongo/alert-store.ts';
import { createModels, type Models } from '../../src/infra/database/mongo/models.ts';
import { sampleAlert } from './sample-alerts.ts';

const BATCH = 5_000;
/** Number of new alerts above which rebuilding the indexes is faster than updating them. */
const MANY = 100_000;

/** Alerts with `after < id <= upto`. */
export interface SeedRange {
  readonly after: number;
  readonly upto: number;
  /** How much later the samples are, on SQLite. */
  readonly shiftMs?: number;
}

/** Inserts many at a time. */
export async function seedMongo(url: string, range: SeedRange): Promise<void> {
  await (await openDatabase(url)).close();
  const connection = await createConnection(url, { autoIndex: false, autoCreate: false }).asPromise();
  try {
    const models = createModels(connection);
    const isLarge = range.upto - range.after >= MANY;
    if (isLarge) await models.alerts.collection.dropIndexes();
    await insertAlerts(models, range);
    if (isLarge) await models.alerts.createIndexes();
  } finally {
    await connection.close();
  }
}

async function insertAlerts({ alerts, listings }: Models, range: SeedRange): Promise<void> {
  const { after, upto } = range;
  const listingOf = createListings(listings);
  for (let start = after; start < upto; start += BATCH) {
    const documents: AlertDocument[] = [];
    for (let id = start + 1; id <= Math.min(upto, start + BATCH); id++) {
      const alert = sampleAlert(id);
      documents.push(toAlertDocument(alert, await listingOf(alert)));
    }
    await alerts.insertMany(documents, { lean: true, ordered: false });
  }
}
