import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/infra/database/database.ts';

interface TipoffRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `tipoff` in a process of its own, without a terminal. */
export function runTipoff(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<TipoffRun> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['src/cli/tipoff.ts', ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
    child.stdin?.end(input);
  });
}

export async function tipoffFixture(settings: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-command-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'data', 'tipoff.db')}`;
  const env = {
    ...process.env,
    ...settings,
    DATABASE_URL: url,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
  };
  return {
    folder,
    url,
    create: async () => (await openDatabase(url)).close(),
    tipoff: (...args: string[]) => runTipoff(args, env),
    tipoffReading: (input: string, ...args: string[]) => runTipoff(args, env, input),
  };
}
