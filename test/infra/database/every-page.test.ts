import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { ColumnArchive } from '../../../src/infra/database/archive/archive.ts';
import { createArchiveSource } from '../../../src/infra/database/archive/archive-source.ts';
import { onEachDatabase } from './each-database.ts';
import { naiveSearch } from './naive-archive.ts';
import { numbered, unnumbered } from './random-alerts.ts';
import { filter } from './random-filters.ts';

onEachDatabase('every page', (fixture) => {
  test('of any filter is what a look at every alert finds, while alerts are added between pages', async () => {
    const { alerts } = fixture.database;
    const source = createArchiveSource(await fixture.collections(), 1);
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
        const archive = new ColumnArchive(source, blockSize);
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
