import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that the built service reads, and that the compiler does not write. */
const PATHS = [
  'src/site/assets',
  ...['glossary', 'method', 'reading-alerts'].map((name) => `docs/${name}.md`),
];

const root = join(import.meta.dirname, '..');
for (const path of PATHS) await cp(join(root, path), join(root, 'dist', path), { recursive: true });
