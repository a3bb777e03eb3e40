import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT_BYTES = 64 * 1_024 * 1_024;
const TIMEOUT_MS = 600_000;
const SHOWN = 4_000;

interface Given {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Failed {
  readonly code?: unknown;
  readonly killed?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Runs a program to its end; throws with what it printed if that was not with 0. */
export async function accepted(program: string, args: readonly string[], { cwd, env }: Given = {}) {
  const options = { env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES, timeout: TIMEOUT_MS };
  const running = run(program, [...args], { ...options, ...(cwd !== undefined && { cwd }) });
  running.child.stdin?.end();
  try {
    return await running;
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = error as Failed;
    if (code === 'ENOENT') throw new Error(`${program} is not installed`, { cause: error });
    const how = killed ? `had not ended after ${TIMEOUT_MS / 1_000} s` : `ended with ${code}`;
    const said = (stdout + stderr).slice(-SHOWN);
    throw new Error(`${program} ${args.join(' ')} ${how}:\n${said}`, { cause: error });
  }
}
