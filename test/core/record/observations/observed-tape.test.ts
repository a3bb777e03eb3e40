import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';
import { DATABASES } from '../../../support/databases.ts';
import { readTape } from '../../../support/read-tape.ts';
import { observationsOf } from '../../../support/stored-observations.ts';
import { live } from '../../ingest/rebuild-fixture.ts';
import { recomputed } from './recomputed.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

const observed = new Map<string, unknown>();

describe.each(DATABASES)('the midterms of 2022 observed on $name', ({ name, available, open }) => {
  describe.skipIf(!available)('with a database', () => {
    test('every bar, buy and quote equals a recomputation from the tape', async () => {
      const { database, drop } = await open();
      const { rows } = await readTape(TAPE);
      await live(database, {
        rows,
        batchSize: 500,
        isEnd: (batch) => (batch.at(-1)?.offset ?? 0) >= rows.length,
      });
      const { markets, hours } = await observationsOf(database);
      observed.set(name, { markets, hours });
      const base = new Map(markets.map(({ marketId, baseAsset }) => [marketId, baseAsset]));
      const wanted = recomputed(rows, await database.alerts.after(0, 10_000), base);
      await drop();

      for (const { text } of hours) expect(text).toBe(canonicalJson(JSON.parse(text)));
      const parsed = new Map(
        hours.map(({ marketId, hour, text }) => [`${marketId} ${hour}`, JSON.parse(text)]),
      );
      const counts = { markets: markets.length, hours: hours.length, bars: 0, buys: 0, quotes: 0 };
      for (const { bars, buys, quotes = [] } of parsed.values()) {
        counts.bars += bars.length;
        counts.buys += buys.length;
        counts.quotes += quotes.length;
      }
      expect(counts).toEqual({ markets: 20, hours: 4_538, bars: 10_872, buys: 1_320, quotes: 8_885 });
      expect([...parsed.keys()].sort()).toEqual([...wanted.keys()].sort());
      for (const [key, hour] of wanted) expect(parsed.get(key)).toEqual(hour);
    }, 180_000);
  });
});

test('the observations of the midterms are byte-equal on both databases', () => {
  const [first, ...others] = [...observed.values()];
  for (const other of others) expect(other).toEqual(first);
});
