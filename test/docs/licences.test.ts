import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

interface LockedPackage {
  readonly dev?: true;
  readonly license?: string;
}

test('docs/licences.md names the licence of every runtime package, and each package that is not permissive', () => {
  const page = read('docs/licences.md');
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const runtime = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  expect(runtime.length).toBeGreaterThan(100);
  const unnamed = runtime.filter(([, { license }]) => !page.includes(`\`${license}\``));
  expect(unnamed).toEqual([]);
  const weak = runtime.filter(([, { license = '' }]) => /MPL|OFL|GPL|EPL|CC-BY/.test(license));
  const names = weak.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.filter((name) => !page.includes(`\`${name.replace(/(resvg-js)-.*/, '$1')}\``))).toEqual([]);
});

test('Tipoff and its clients are under the MIT licence, whose text each package has', () => {
  const text = read('LICENSE');
  expect(text).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} the Tipoff authors\n/);
  for (const client of ['typescript', 'python']) expect(read(`clients/${client}/LICENSE`)).toBe(text);
  for (const file of ['package.json', 'clients/typescript/package.json'])
    expect(JSON.parse(read(file)).license).toBe('MIT');
  expect(read('clients/python/pyproject.toml')).toContain('license = "MIT"');
});
