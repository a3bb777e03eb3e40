import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SENTENCES } from './sentences.ts';

test('every sentence of the contract is shown by a test', () => {
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const text = suites.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  const unshown = Object.keys(SENTENCES).filter((name) => !new RegExp(`SENTENCES\\.${name}\\b`).test(text));
  expect(unshown).toEqual([]);
});
