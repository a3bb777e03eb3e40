import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../fixtures/upstream/', import.meta.url);

/** An answer of the market as others captured it (test/fixtures/upstream/README.md). */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was captured
export function golden(name: string): any {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
}
