import { createConnection } from 'mongoose';
import type { Alert } from '../../src/core/alert.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { toAlertDocument } from '../../src/infra/mongo/alert-model.ts';
import { listingId } from '../../src/infra/mongo/listings.ts';
import { createModels, type Models } from '../../src/infra/mongo/models.ts';
import type { SeedRange } from './databases.ts';
import { sampleAlert } from './sample-alerts.ts';

const BATCH = 5_000;
/** Alerts from which it is quicker to build the indexes anew than to keep them. */
const MANY = 100_000;

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

async function insertAlerts({ alerts, listings }: Models, { after, upto }: SeedRange): Promise<void> {
  const listed = new Set<string>();
  for (let start = after; start < upto; start += BATCH) {
    const length = Math.min(BATCH, upto - start);
    const batch = Array.from({ length }, (_, index) => sampleAlert(start + index + 1));
    const documents = batch.map((alert) => toAlertDocument(alert, listingOf(alert)));
    await alerts.insertMany(documents, { lean: true, ordered: false });
    const fresh = batch.filter((alert) => !listed.has(listingOf(alert)));
    for (const alert of fresh) listed.add(listingOf(alert));
    const writes = fresh.map((alert) => ({
      updateOne: {
        filter: { _id: listingOf(alert) },
        update: { $setOnInsert: textsOf(alert) },
        upsert: true,
      },
    }));
    if (writes.length > 0) await listings.bulkWrite(writes, { ordered: false });
  }
}

function textsOf({ marketId, eventTitle, eventSlug }: Alert) {
  return { marketId, titleLower: eventTitle.toLowerCase(), slugLower: eventSlug.toLowerCase() };
}

function listingOf({ marketId, eventTitle, eventSlug }: Alert): string {
  return listingId(marketId, eventTitle, eventSlug);
}
