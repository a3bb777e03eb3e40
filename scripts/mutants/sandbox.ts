import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../code/imports.ts';
import type { Mutant } from './mutants.ts';

interface Run {
  readonly files: readonly string[];
  readonly names: readonly string[];
  readonly cpuSeconds: number;
  /** Where instrumented code notes what was reached. */
  readonly coverageFile?: string;
}

interface RunEnd {
  readonly end: 'killed' | 'timeout' | 'survived';
  /** The first test that failed. */
  readonly by: string | null;
  /** The files with a test that failed. */
  readonly failed: readonly string[];
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const LINKED = ['node_modules', 'data'];
const LEFT_OUT = ['.git', 'dist', 'coverage'];
/** A copy of the checkout in which one place of the code is changed. */
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

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  restore(file: string): void {
    this.write(file, readFileSync(join(ROOT, file), 'utf8'));
  }

  async withMutant<Result>({ file, from, to, code }: Mutant, work: () => Promise<Result>): Promise<Result> {
    const text = readFileSync(join(ROOT, file), 'utf8');
    this.write(file, text.slice(0, from) + code + text.slice(to));
    try {
      return await work();
    } finally {
      this.write(file, text);
    }
  }

  /** Runs tests up to the first that fails. */
  async run({ files, names, cpuSeconds, coverageFile }: Run): Promise<RunEnd> {
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const pattern = `^(?:${names.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')})$`;

    const isKilled = await this.#spawn(cpuSeconds, coverageFile, [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=scripts/mutants/vitest.config.ts',
      ...files,
      `--bail=${coverageFile === undefined ? 1 : 0}`,
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${report}`,
      ...(names.length === 0 ? [] : [`--testNamePattern=${pattern}`]),
    ]);
    if (!isKilled) return { end: 'survived', by: null, failed: [] };
    return endOf(report, this.folder);
  }

  /** True when the tests did not pass. */
  #spawn(cpuSeconds: number, coverageFile: string | undefined, args: readonly string[]): Promise<boolean> {
    // The limit ends a loop that never ends, however busy the machine is.
    const limited = ['-c', `ulimit -t ${cpuSeconds}; exec "$@"`, 'sh', process.execPath, ...args];
    const child = spawn('sh', limited, {
      cwd: this.folder,
      env: {
        ...process.env,
        // A third of such a run is loading vitest.
        NODE_COMPILE_CACHE: join(this.folder, '..', 'compiled'),
        ...(coverageFile !== undefined && { MUTANT_COVERAGE: coverageFile }),
      },
      stdio: 'ignore',
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code !== 0));
    });
  }
}

function endOf(report: string, folder: string): RunEnd {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
    const files = testResults.filter(({ status }) => status === 'failed');
    const test = files[0]?.assertionResults.find(({ status }) => status === 'failed');
    const by = test?.fullName ?? files[0]?.message.split('\n')[0] ?? 'the run failed';
    const isLate = /timed out in \d/.test(test?.failureMessages?.[0] ?? files[0]?.message ?? '');
    return {
      end: isLate ? 'timeout' : 'killed',
      by,
      failed: files.map(({ name }) => relative(folder, name)),
    };
  } catch {
    return { end: 'timeout', by: null, failed: [] };
  }
}
