import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type {
  ClientAnswer,
  ClientOrder,
  Measured,
  ServerAnswer,
  ServerKind,
  ServerOrder,
  Settings,
} from './messages.ts';

/** A server of the stream in a process of its own. */
export interface StreamServer {
  readonly port: number;
  /** Bytes that every client is sent for it. */
  publish(): Promise<number>;
  reset(): Promise<void>;
  measure(): Promise<Measured>;
  /** Collects garbage. */
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** Many clients in a process of their own. */
export interface StreamClients {
  connect(port: number, paths: readonly string[], options: { reads: boolean }): Promise<void>;
  /** Resolves once so many bytes came in. */
  expect(bytes: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startServer(
  kind: ServerKind,
  settings: Settings,
  env: NodeJS.ProcessEnv = {},
): Promise<StreamServer> {
  const child = fork(new URL('./server.ts', import.meta.url), {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
  });
  const ask = (order: ServerOrder) => answerOf<ServerAnswer>(child, order);
  const started = await ask({ do: 'start', kind, settings });
  return {
    port: started.did === 'start' ? started.port : Number.NaN,
    async publish() {
      const told = await ask({ do: 'publish' });
      return told.did === 'publish' ? told.bytes : Number.NaN;
    },
    reset: async () => void (await ask({ do: 'reset' })),
    async measure() {
      const told = await ask({ do: 'measure' });
      if (told.did !== 'measure') throw new Error('the server did not measure');
      return told;
    },
    collect: async () => void (await ask({ do: 'collect' })),
    stop: () => end(child),
  };
}

export function startClients(): StreamClients {
  const child = fork(new URL('./clients.ts', import.meta.url));
  const ask = (order: ClientOrder) => answerOf<ClientAnswer>(child, order);
  return {
    connect: async (port, paths, { reads }) => void (await ask({ do: 'connect', port, paths, reads })),
    expect: async (bytes) => void (await ask({ do: 'expect', bytes })),
    stop: () => end(child),
  };
}

/** Sends an order and waits for the answer; throws when the process ends before. */
export async function answerOf<Answer>(child: ChildProcess, order: object): Promise<Answer> {
  const answered = once(child, 'message');
  const gone = once(child, 'close').then(([code]) => {
    throw new Error(`a process of the bench ended with code ${code}`);
  });
  gone.catch(() => {});
  child.send(order);
  return (await Promise.race([answered, gone]))[0] as Answer;
}

export async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
