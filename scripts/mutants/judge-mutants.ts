import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readImports } from '../../test/support/code/imports.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import type { Mutant } from './mutants.ts';
import { Sandbox } from './sandbox.ts';

export const AREAS: readonly string[] = [
  'detection',
  'delivery/stream',
  'alerts/ledger',
  'accounts/keys',
  'delivery/webhooks',
];

export interface Verdict {
  readonly mutant: Mutant;
  /** `refused`: no test fails, but the compiler does not take it, so it cannot be in the code. */
  readonly end: 'killed' | 'timeout' | 'survived' | 'refused';
  readonly by: string | null;
}

interface JudgeOptions {
  readonly workers: number;
  readonly onVerdict: (verdict: Verdict) => void;
}

/** Processor time of a run in which no loop is endless. */
const CPU_SECONDS = 120;

export async function judgeMutants(
  mutants: readonly Mutant[],
  { workers, onVerdict }: JudgeOptions,
): Promise<void> {
  const folder = await mkdtemp(join(scratchFolder(), 'tipoff-mutants-'));
  const waiting = mutants.values();
  try {
    await Promise.all(
      Array.from({ length: workers }, async (_, n) => {
        const sandbox = new Sandbox(join(folder, `${n}`));
        for (const mutant of waiting) onVerdict(await judge(mutant, sandbox));
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge(mutant: Mutant, sandbox: Sandbox): Promise<Verdict> {
  return sandbox.withMutant(mutant, async (): Promise<Verdict> => {
    const run = await sandbox.run(testsReaching(mutant), CPU_SECONDS);
    const isRefused = run.end === 'survived' && !(await sandbox.compiles());
    return { mutant, ...run, ...(isRefused && { end: 'refused' }) };
  });
}

const CODE = ['src', 'bots', 'jobs', 'scripts', 'examples', 'test'];
const imports = readImports(CODE);

/** The second implementation of the detection rules, which it is held against. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  detection: 'test/scenarios/reference-detector.test.ts',
};

function testsReaching({ area, file }: Mutant): readonly string[] {
  return [...imports.keys()]
    .filter((test) => test === ELSEWHERE[area] || isTestOf(area, test))
    .map((test) => ({ test, steps: stepsTo(test, file) }))
    .filter(({ steps }) => steps !== null)
    .toSorted((a, b) => (a.steps ?? 0) - (b.steps ?? 0))
    .map(({ test }) => test);
}

function isTestOf(area: string, file: string): boolean {
  return file.startsWith(`test/core/${area}/`) && file.endsWith('.test.ts');
}

function stepsTo(from: string, to: string): number | null {
  const steps = new Map([[from, 0]]);
  for (const [file, count] of steps) {
    if (file === to) return count;
    for (const { target, isType } of imports.get(file) ?? [])
      if (!isType && !steps.has(target)) steps.set(target, count + 1);
  }
  return null;
}
