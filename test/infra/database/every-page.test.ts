import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { createConnection } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { type Archive, ColumnArchive } from '../../../src/infra/database/archive/archive.ts';
import { createMongoArchiveSource } from '../../../src/infra/database/mongo/archive-source.ts';
import { createModels } from '../../../src/infra/database/mongo/models.ts';
import { createSqliteArchiveSource } from '../../../src/infra/database/sqlite/archive-source.ts';
import { onEachDatabase } from './each-database.ts';
import { naiveSearch } from './naive-archive.ts';
import { numbered, unnumbered } from './random-alerts.ts';
import { filter } from './random-filters.ts';

/** An archive whose pages lie in many blocks. */
async function smallBlocks(url: string, blockSize: number): Promise<Archive> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    onTestFinished(() => db.close());
    return new ColumnArchive(createSqliteArchiveSource(db), blockSize);
  }
  const connection = await createConnection(url).asPromise();
  onTestFinished(() => connection.close());
  return new ColumnArchive(createMongoArchiveSource(createModels(connection)), blockSize);
}

onEachDatabase('every page', (fixture) => {
  test('of any filter is what a look at every alert finds, while alerts are added between pages', async () => {
    const { alerts } = fixture.database;
    let known: Alert[] = [];
    const append = async (given: Parameters<typeof numbered>[0]) => {
      const added = numbered(given, known.length + 1);
      for (const alert of added) await alerts.append(alert);
      known = [...known, ...added];
    };
    await append(fc.sample(unnumbered, { numRuns: 60, seed: 5 }));
    const scenario = fc.record({
      blockSize: fc.integer({ min: 2, max: 9 }),
      filters: fc.array(filter, { minLength: 6, maxLength: 8 }),
      pageSize: fc.integer({ min: 3, max: 6 }),
      added: fc.array(unnumbered, { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ blockSize, filters, pageSize, added }) => {
        const archive = await smallBlocks(fixture.url, blockSize);
        for (const [index, asked] of filters.entries()) {
          const pages = Math.ceil(naiveSearch(known, asked, { page: 1, pageSize }).total / pageSize);
          for (let page = 1; page <= pages + 1; page += 1) {
            const found = await archive.search(asked, { page, pageSize });
            expect(found).toStrictEqual(naiveSearch(known, asked, { page, pageSize }));
            if (index === 0 && page === 2) await append(added);
          }
        }
      }),
      { numRuns: 5, interruptAfterTimeLimit: 20_000 },
    );
  });
});
