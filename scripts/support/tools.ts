import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end; `input` is what it reads. Code 127: it is not installed. */
export async function runTool(program: string, args: readonly string[], input = ''): Promise<Ended> {
  const running = run(program, [...args], { maxBuffer: 2 ** 24 });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') return { code: 127, output: `${program} is not installed` };
    return { code: typeof code === 'number' ? code : 1, output: stdout + stderr };
  }
}

export async function isInstalled(program: string, ...args: readonly string[]): Promise<boolean> {
  return (await runTool(program, args)).code !== 127;
}

/** Throws with what the program printed if it did not end with 0; returns what it printed otherwise. */
export async function accepted(program: string, args: readonly string[], input = ''): Promise<string> {
  const { code, output } = await runTool(program, args, input);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output.trim();
}
