import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether `python3` can be run here. */
export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The script that docs/log.md shows. */
export function logScript(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/log.md'), 'utf8');
  return /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
}
