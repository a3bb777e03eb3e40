import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { readOptions } from './command-line.ts';
import { runTarget, type Verdict } from './generators/run-target.ts';
import { TARGETS, type Target } from './generators/targets.ts';

const HELP = `Generates clients from the OpenAPI document, compiles each, and calls every operation of a running service with it.
Every operation must answer as documented, and the client must read what was sent. Needs Python 3, Java 17, Maven and Go,
and their package registries; what is downloaded is kept in the user's cache.

Usage: npm run generators -- [--only TEXT]

  --only TEXT  only the generators whose name contains this: ${TARGETS.map(({ name }) => name).join(', ')}`;

const { only = '' } = readOptions(HELP, { only: undefined });
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-generators-'));
for (const target of TARGETS.filter(({ name }) => name.includes(only))) await show(target);

async function show(target: Target): Promise<void> {
  const startedAt = performance.now();
  const { called, problems } = await judged(target);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const work = called === null ? 'generated' : `${called} operations called`;
  const verdict = problems.length === 0 ? work : `FAILED: ${problems.length} problems`;
  const shown = `${target.name.padEnd(34)} ${target.version.padEnd(26)} ${String(seconds).padStart(4)} s`;
  console.log(`${shown}  ${verdict}`);
  for (const problem of problems) console.log(`  ${problem.slice(0, 1_000)}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Each has a service of its own: what one client created or used up is not there for another. */
async function judged(target: Target): Promise<Verdict> {
  const file = join(folder.path, `${TARGETS.indexOf(target)}.db`);
  const service = await startServiceOverArchive(`sqlite:${file}`);
  try {
    return await runTarget(target, service, folder.path);
  } catch (error) {
    return { called: null, problems: [error instanceof Error ? error.message : String(error)] };
  } finally {
    await service.stop();
  }
}
