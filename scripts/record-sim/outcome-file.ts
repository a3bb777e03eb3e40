import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseJson } from '../../src/infra/market/tapes/text-fields.ts';
import type { SimulationOutcome } from './outcome.ts';

/** Those of an earlier run; a line that it had not finished is left out. */
export async function readOutcomes(file: string | undefined): Promise<SimulationOutcome[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => (parseJson(line) as SimulationOutcome | undefined) ?? []);
}

export function appendOutcome(file: string | undefined, outcome: SimulationOutcome): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}
