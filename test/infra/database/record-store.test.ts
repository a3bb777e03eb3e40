import { expect, test } from 'vitest';
import { seededRandom } from '../../support/random.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('record store', (fixture) => {
  test('a record comes back equal, whatever its text has, and no other', async () => {
    const { records } = fixture.database;
    const stored = { name: 'record', at: START, text: '{"ü":"😀 \\u0000","n":0.1}' };
    const empty = { name: 'market/$a.b', at: 0, text: '' };

    await records.put(stored);
    await records.put(empty);
    await records.put({ ...stored, at: START + 1, text: 'replaced, also by one of an earlier moment' });
    await records.put(stored);

    const other = (await fixture.another()).records;
    expect(await other.get('record')).toStrictEqual(stored);
    expect(await other.get('market/$a.b')).toStrictEqual(empty);
    expect([await other.at('record'), await other.at('market/$a.b')]).toEqual([START, 0]);
    expect([await other.get('Record'), await other.at('rec')]).toEqual([null, null]);
  });

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
