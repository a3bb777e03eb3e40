import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT_BYTES = 64 * 1_024 * 1_024;
const TIMEOUT_MS = 600_000;
const SHOWN = 4_000;

interface Given {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input?: string;
  readonly timeoutMs?: number | undefined;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** Of errors, too. */
  readonly output: string;
}

interface Failed {
  readonly code?: unknown;
  readonly killed?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Runs a program to its end. Code 127: it is not installed. */
export async function runTool(program: string, args: readonly string[], given: Given = {}): Promise<Ended> {
  const { cwd, env = {}, input = '', timeoutMs = TIMEOUT_MS } = given;
  const options = { env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES, timeout: timeoutMs };
  const running = run(program, [...args], { ...options, ...(cwd !== undefined && { cwd }) });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { code: 0, stdout, output: stdout + stderr };
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = error as Failed;
    if (killed) return { code: 1, stdout, output: `${program} had not ended after ${timeoutMs / 1_000} s` };
    if (code === 'ENOENT') return { code: 127, stdout, output: `${program} is not installed` };
    return { code: typeof code === 'number' ? code : 1, stdout, output: stdout + stderr };
  }
}

/** The same; throws with what the program printed if it did not end with 0. */
export async function accepted(program: string, args: readonly string[], given: Given = {}): Promise<Ended> {
  const ended = await runTool(program, args, given);
  if (ended.code === 0) return ended;
  throw new Error(`${program} ${args.join(' ')} ended with ${ended.code}:\n${ended.output.slice(-SHOWN)}`);
}
