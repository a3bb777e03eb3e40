import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openReplay } from '../../../../src/infra/market/tapes/replay.ts';
import { createSourceFixture, readAll, withoutClose } from './source-fixture.ts';

const path = (name: string) => new URL(`../../../../${name}`, import.meta.url).pathname;
const TAPE = path('data/tapes/midterms-2022.jsonl.gz');

async function replay(file: string) {
  const fixture = createSourceFixture(Date.UTC(2026, 1, 1));
  const source = await openReplay({ file, speed: 0, shift: null, checkpoint: null }, fixture);
  const rows = withoutClose(await readAll(source)).map(({ row }) => row);
  return {
    source,
    rows,
    trades: rows.flatMap((row) => (row.kind === 'trade' ? row.trade : [])),
    kit: fixture,
  };
}

describe('the midterms tape', () => {
  test('holds what its README says', async () => {
    const { source, rows, trades, kit: fixture } = await replay(TAPE);
    const readme = readFileSync(path('data/tapes/README.md'), 'utf8');
    const packed = readFileSync(TAPE);
    const wallets = new Set(trades.map(({ wallet }) => wallet));
    expect(source.isComplete).toBe(true);
    expect(fixture.dropped).toEqual([]);
    expect([trades.length, rows.length, wallets.size]).toEqual([27_719, 27_719 + 78, 2_420]);
    for (const bytes of [packed, gunzipSync(packed)]) expect(readme).toContain(sha256(bytes));
    expect(packed.length).toBeLessThan(2_000_000);
  });
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
