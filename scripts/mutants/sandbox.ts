import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonTestResults } from 'vitest/node';
import { ROOT } from '../../test/support/code/imports.ts';
import type { Mutant } from './mutants.ts';

interface RunEnd {
  readonly end: 'killed' | 'timeout' | 'survived';
  readonly by: string | null;
}

const LINKED = ['node_modules', 'data'];
const COMPILE_SECONDS = 300;
/** For a test that waits for what never comes. */
const TIMEOUT_MS = 150_000;
const LEFT_OUT = ['.git', 'dist', 'coverage'];
export class Sandbox {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    for (const name of readdirSync(ROOT)) {
      if (LINKED.includes(name)) symlinkSync(join(ROOT, name), join(folder, name));
      else if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
  }

  async withMutant<Result>({ file, from, to, code }: Mutant, work: () => Promise<Result>): Promise<Result> {
    const text = readFileSync(join(ROOT, file), 'utf8');
    writeFileSync(join(this.folder, file), text.slice(0, from) + code + text.slice(to));
    try {
      return await work();
    } finally {
      writeFileSync(join(this.folder, file), text);
    }
  }

  async run(files: readonly string[], cpuSeconds: number): Promise<RunEnd> {
    if (files.length === 0) return { end: 'survived', by: null };
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const isKilled = await this.#fails(cpuSeconds, [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files,
      `--testTimeout=${TIMEOUT_MS}`,
      '--bail=1',
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${report}`,
    ]);
    return isKilled ? endOf(report) : { end: 'survived', by: null };
  }

  /** Whether the compiler takes the code, but for what is not used. */
  async compiles(): Promise<boolean> {
    const lax = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
    const incremental = ['--incremental', '--tsBuildInfoFile', 'build-info'];
    return !(await this.#fails(COMPILE_SECONDS, [
      'node_modules/.bin/tsc',
      '-p',
      '.',
      ...lax,
      ...incremental,
    ]));
  }

  #fails(cpuSeconds: number, args: readonly string[]): Promise<boolean> {
    // The limit ends a loop that never ends, however busy the machine is.
    const limited = ['-c', `ulimit -t ${cpuSeconds}; exec "$@"`, 'sh', process.execPath, ...args];
    const child = spawn('sh', limited, {
      cwd: this.folder,
      env: {
        ...process.env,
        // SQLite finds what both databases would: the tests on MongoDB take most of the time.
        TEST_MONGODB_URI: 'none',
        // A third of such a run is loading vitest.
        NODE_COMPILE_CACHE: join(this.folder, '..', 'compiled'),
      },
      stdio: 'ignore',
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code !== 0));
    });
  }
}

function endOf(report: string): RunEnd {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonTestResults;
    const files = testResults.filter(({ status }) => status === 'failed');
    const test = files[0]?.assertionResults.find(({ status }) => status === 'failed');
    const by = test?.fullName ?? files[0]?.message.split('\n')[0] ?? 'the run failed';
    const isLate = /timed out in \d/.test(test?.failureMessages?.[0] ?? files[0]?.message ?? '');
    return { end: isLate ? 'timeout' : 'killed', by };
  } catch {
    return { end: 'timeout', by: null };
  }
}
