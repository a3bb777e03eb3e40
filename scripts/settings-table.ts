import { readFile, writeFile } from 'node:fs/promises';
import { configReference } from '../src/config.ts';

const README = 'README.md';
const BLOCK = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;

/** The settings as the README shows them, made from the schema that reads them. */
export function settingsTable(): string {
  const rows = configReference().map(
    ({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

if (import.meta.main) {
  const text = await readFile(README, 'utf8');
  await writeFile(
    README,
    text.replace(BLOCK, (_all, begin: string, end: string) => `${begin}${settingsTable()}${end}`),
  );
}
