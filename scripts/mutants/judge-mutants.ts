import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import type { Mutant } from './mutants.ts';
import { testsOf, testsReaching } from './related-tests.ts';
import { Sandbox } from './sandbox.ts';

/** Folders of src/core whose mutants are judged. */
export const AREAS: readonly string[] = [
  'detection',
  'delivery/stream',
  'alerts/ledger',
  'accounts/keys',
  'delivery/webhooks',
];

export interface Verdict {
  readonly mutant: Mutant;
  readonly end: 'killed' | 'timeout' | 'survived';
  readonly by: string | null;
}

interface JudgeOptions {
  readonly workers: number;
  readonly isWide: boolean;
}

/** Processor time of a run in which no loop is endless. */
const CPU_SECONDS = { near: 120, wide: 400 };

export async function* judgeMutants(
  mutants: readonly Mutant[],
  options: JudgeOptions,
): AsyncGenerator<Verdict> {
  const folder = await mkdtemp(join(scratchFolder(), 'tipoff-mutants-'));
  try {
    const sandboxes = Array.from({ length: options.workers }, (_, n) => new Sandbox(join(folder, `${n}`)));
    yield* inParallel(mutants, sandboxes, (mutant, sandbox) => judge(mutant, sandbox, options.isWide));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the tests of its folder that reach its file, and where it survives those by the other ones that do. */
async function judge(mutant: Mutant, sandbox: Sandbox, isWide: boolean): Promise<Verdict> {
  const [reaching, own] = [testsReaching(mutant.file), testsOf(mutant.area)];
  const near = reaching.filter((file) => own.includes(file));
  const wide = isWide ? reaching.filter((file) => !own.includes(file)) : [];
  return sandbox.withMutant(mutant, async () => {
    const first = await sandbox.run(near, CPU_SECONDS.near);
    const last = first.end === 'survived' ? await sandbox.run(wide, CPU_SECONDS.wide) : first;
    return { mutant, ...last };
  });
}

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
