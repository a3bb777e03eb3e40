import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRules } from '../../src/config/detection-rules.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-rules-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function rulesFrom(text: string) {
  const file = join(folder, 'rules.json');
  await writeFile(file, text);
  return loadRules(file);
}

describe('detection rules', () => {
  test('without a file the defaults hold, as version 4', async () => {
    expect(await loadRules(null)).toEqual(DEFAULT_RULES);
    expect(DEFAULT_RULES.version).toBe('4');
  });

  test('a file changes what it names and leaves the rest', async () => {
    const rules = await rulesFrom('{"significantUsdc": 5000, "fresh": {"maxAgeDays": 7}}');
    expect(rules).toMatchObject({ significantUsdc: 5_000, fresh: { maxAgeDays: 7, maxMarkets: 5 } });
    expect(rules.cluster).toEqual(DEFAULT_RULES.cluster);
  });

  test('changed rules get a version of their own, the same for the same rules', async () => {
    const [one, again, other] = [
      await rulesFrom('{"significantUsdc": 5000}'),
      await rulesFrom('{ "significantUsdc": 5e3 }'),
      await rulesFrom('{"significantUsdc": 5001}'),
    ];
    expect(one.version).toMatch(/^4\+[0-9a-f]{8}$/);
    expect(again.version).toBe(one.version);
    expect(other.version).not.toBe(one.version);
    expect((await rulesFrom('{"version": "strict-2"}')).version).toBe('strict-2');
  });

  test('a plan of the record is a change of the rules; the default one leaves the versions from before it', async () => {
    const before = await rulesFrom('{"significantUsdc": 5000}');
    expect(before.version).toBe('4+700b441a');
    const unchanged = JSON.stringify({ significantUsdc: 5_000, record: DEFAULT_RULES.record });
    expect((await rulesFrom(unchanged)).version).toBe(before.version);
    const other = await rulesFrom('{"significantUsdc": 5000, "record": {"startsAt": "2027-02-01"}}');
    expect(other.record).toEqual({ startsAt: '2027-02-01' });
    expect(other.version).not.toBe(before.version);
  });

  test('a plan of the record that begins on no day of the calendar is refused', async () => {
    await expect(rulesFrom('{"record": {"startsAt": "2027-02-30"}}')).rejects.toThrow('record.startsAt');
  });

  test.each([
    ['no JSON', '{', 'cannot be read as JSON'],
    ['no object', '[1]', 'must hold a JSON object'],
    ['an unknown name', '{"freshness": {}}', 'freshness: there is no such rule; did you mean fresh?'],
    [
      'an unknown name of a part',
      '{"fresh": {"maxDays": 7}}',
      'fresh.maxDays: there is no such rule; did you mean maxAgeDays?',
    ],
    [
      'a name like no other',
      '{"repeat": {"zzz": 7}}',
      'repeat.zzz: there is no such rule; known are minGrowth',
    ],
    ['a wrong type', '{"fresh": {"maxAgeDays": "7"}}', 'fresh.maxAgeDays'],
    ['a part that is no object', '{"fresh": 7}', 'fresh'],
    ['a number out of range', '{"ignore": {"priceAtLeast": 1.5}}', 'ignore.priceAtLeast'],
  ])('%s is refused, naming the file and the field', async (_name, text, expected) => {
    await expect(rulesFrom(text)).rejects.toThrow(expected);
    await expect(rulesFrom(text)).rejects.toThrow('rules.json');
  });
});
