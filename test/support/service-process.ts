import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HEAP_OPTIONS } from './heap-options.ts';

const ROOT = join(import.meta.dirname, '../..');
/** None of the settings of the user who runs the tests. */
const INHERITED = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].includes(name)),
);

/** The service in a process of its own, as `npm start` runs it. */
export type ServiceProcess = ReturnType<typeof startService>;

/**
 * `entry` and `args`: what is run in the place of the service's own; `hasChannel`: it can be sent messages; `openFiles`: its
 * limit of open files.
 */
export function startService(
  env: Readonly<Record<string, string>>,
  {
    entry = 'src/main.ts',
    args = [],
    hasChannel = false,
    openFiles,
  }: { entry?: string; args?: readonly string[]; hasChannel?: boolean; openFiles?: number } = {},
) {
  const own = { PORT: '0', LOG_LEVEL: 'info', MARKET_SOURCE: 'none', POLYGON_RPC_URL: 'off' };
  const settings = { ...own, ...env };
  const limited = ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, process.execPath];
  const [command = '', ...before] = openFiles === undefined ? [process.execPath] : limited;
  const child = spawn(command, [...before, ...HEAP_OPTIONS, entry, ...args], {
    cwd: ROOT,
    env: { ...INHERITED, ...settings },
    stdio: hasChannel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      wake();
    });
  }
  const closed = once(child, 'close').then(() => {
    wake();
    return child.exitCode;
  });

  return {
    child,
    output: () => lines.join('\n'),
    /** The first log line that has this message; rejects when the process ends before. */
    logged: (message: string) =>
      new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
        const look = () => {
          const found = lines.map(parsed).find((entry) => entry?.['msg'] === message) ?? undefined;
          const isOver = child.exitCode !== null || child.signalCode !== null;
          if (found === undefined && !isOver) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`the service ended before it said "${message}":\n${lines.join('\n')}`));
        };
        waiting.add(look);
        look();
      }),
    /** The exit code; null when a signal ended it. */
    ended: (): Promise<number | null> => closed,
    end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return closed;
    },
  };
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
