import { expect, test } from 'vitest';
import { seededRandom } from '../../support/random.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('record store', (fixture) => {
  test('a record of 24 MB of JSON is stored: more than a document of MongoDB may have', async () => {
    const { records } = fixture.database;
    const random = seededRandom(7);
    const figures = Array.from({ length: 100 }, () => ({ mean: random(), low: random(), high: random() }));
    const text = JSON.stringify(figures).repeat(4_000);
    expect(text.length).toBeGreaterThan(24e6);

    await records.put({ name: 'record', at: START, text });

    const found = await records.get('record');
    expect(found?.text.length).toBe(text.length);
    expect(found?.text === text).toBe(true);
  });
});
