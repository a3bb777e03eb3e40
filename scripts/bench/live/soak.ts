import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../../test/support/scratch-folder.ts';
import type { Figure } from '../figure.ts';
import { soakFigures } from './soak-figures.ts';
import { soak } from './soak-run.ts';

const HOURS = 24;

/** `SOAK_HOURS` makes it shorter, to try it. */
export async function benchSoak(): Promise<readonly Figure[]> {
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-soak-'));
  return soakFigures(await soak(Number(process.env['SOAK_HOURS'] ?? HOURS), folder.path));
}
