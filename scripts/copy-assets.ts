import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that the built service reads, and that the compiler does not write. */
const FOLDERS = ['src/site/assets'];

const root = join(import.meta.dirname, '..');
for (const folder of FOLDERS) await cp(join(root, folder), join(root, 'dist', folder), { recursive: true });
