/**
 * Cuts the trade fixtures from the files they come from, as test/fixtures/README.md describes:
 * `node scripts/build-fixtures.ts NOBEL.csv MADURO.json OUT-FOLDER`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseCsv } from './csv.ts';

const TEXTS = ['proxyWallet', 'side', 'asset', 'conditionId'] as const;
const NUMBERS = ['size', 'price', 'timestamp'] as const;
const MORE_TEXTS = ['title', 'slug', 'eventSlug', 'outcome'] as const;

const [nobel, maduro, out] = process.argv.slice(2);
if (nobel === undefined || maduro === undefined || out === undefined) {
  console.error('usage: node scripts/build-fixtures.ts NOBEL.csv MADURO.json OUT-FOLDER');
  process.exit(2);
}
write(join(out, 'nobel2025-trades.jsonl.gz'), parseCsv(readFileSync(nobel, 'utf8')));
write(join(out, 'maduro2026-trades.jsonl.gz'), JSON.parse(readFileSync(maduro, 'utf8')));

function write(file: string, rows: readonly Record<string, unknown>[]): void {
  const bytes = gzipSync(rows.map((row) => `${JSON.stringify(cut(row))}\n`).join(''), { level: 9 });
  bytes[9] = 255; // The header's operating system: unknown, so that every platform writes the same bytes.
  writeFileSync(file, bytes);
  console.log(`${file}: ${rows.length} rows, ${bytes.length} bytes`);
}

function cut(row: Record<string, unknown>): Record<string, unknown> {
  const pick = (names: readonly string[], convert: (value: unknown) => unknown) =>
    Object.fromEntries(names.map((name) => [name, convert(row[name])]));
  return {
    ...pick(TEXTS, String),
    ...pick(NUMBERS, Number),
    ...pick(MORE_TEXTS, String),
    ...pick(['outcomeIndex'], Number),
    ...pick(['transactionHash'], String),
  };
}
