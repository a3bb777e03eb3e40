import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { testsReaching } from './related-tests.ts';
import { Sandbox } from './sandbox.ts';

/** Folders of src/core whose mutants are judged. */
export const AREAS: readonly string[] = ['detection', 'stream', 'ledger', 'keys', 'webhooks'];

/** How a mutant ended, and the first test that failed. */
export interface Verdict {
  readonly mutant: Mutant;
  readonly end: 'killed' | 'timeout' | 'survived';
  readonly by: string | null;
}

interface JudgeOptions {
  readonly areas: readonly string[];
  /** How many mutants are tested at the same time. */
  readonly workers: number;
  /** Whether survivors also meet the tests outside test/core. */
  readonly isWide: boolean;
}

/** Processor time of a run in which no loop is endless. */
const CPU_SECONDS = { near: 40, wide: 400 };

/** Judges the mutants, several at a time, in any order. */
export async function* judgeMutants(
  mutants: readonly Mutant[],
  options: JudgeOptions,
): AsyncGenerator<Verdict> {
  const folder = await mkdtemp(join(scratchFolder(), 'tipoff-mutants-'));
  try {
    const sandboxes = Array.from({ length: options.workers }, (_, n) => new Sandbox(join(folder, `${n}`)));
    for (const area of options.areas) {
      const ofArea = mutants.filter((mutant) => mutant.area === area);
      if (ofArea.length === 0) continue;
      const coverage = await coverageOf(area, sandboxes[0] as Sandbox);
      yield* inParallel(ofArea, sandboxes, (mutant, sandbox) =>
        judge(mutant, sandbox, coverage, options.isWide),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge(
  mutant: Mutant,
  sandbox: Sandbox,
  coverage: Coverage,
  isWide: boolean,
): Promise<Verdict> {
  return sandbox.withMutant(mutant, async () => {
    const { files, names } = coverage.testsFor(mutant);
    const near =
      files.length === 0 ? null : await sandbox.run({ files, names, cpuSeconds: CPU_SECONDS.near });
    if (near !== null && near.end !== 'survived') return { mutant, end: near.end, by: near.by };
    const wide = isWide ? testsReaching(mutant.file).filter((file) => !coverage.files.includes(file)) : [];
    if (wide.length === 0) return { mutant, end: 'survived', by: null };
    const { end, by } = await sandbox.run({ files: wide, names: [], cpuSeconds: CPU_SECONDS.wide });
    return { mutant, end, by };
  });
}

/** The results as they come. */
async function* inParallel<Item, Tool, Result>(
  items: readonly Item[],
  tools: readonly Tool[],
  work: (item: Item, tool: Tool) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = [...items];
  const running = new Map<Tool, Promise<{ readonly tool: Tool; readonly result: Result }>>();
  const start = (tool: Tool) => {
    const item = waiting.shift();
    if (item === undefined) running.delete(tool);
    else
      running.set(
        tool,
        work(item, tool).then((result) => ({ tool, result })),
      );
  };
  for (const tool of tools) start(tool);
  while (running.size > 0) {
    const { tool, result } = await Promise.race(running.values());
    start(tool);
    yield result;
  }
}
