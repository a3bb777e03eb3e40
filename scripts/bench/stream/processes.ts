import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type {
  ClientAnswer,
  ClientOrder,
  Measured,
  Published,
  ServerAnswer,
  ServerKind,
  ServerOrder,
  Settings,
} from './messages.ts';

/** A server of the stream in a process of its own. */
export interface StreamServer {
  readonly port: number;
  publish(): Promise<Published>;
  reset(): Promise<void>;
  measure(): Promise<Measured>;
  /** Collects garbage. */
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** Many clients in a process of their own. */
export interface StreamClients {
  connect(port: number, paths: readonly string[], options: { reads: boolean }): Promise<void>;
  /** Resolves once so many bytes came in, with that moment. */
  expect(bytes: number): Promise<number>;
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
      if (told.did !== 'publish') throw new Error('the server did not publish');
      return told;
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
    async expect(bytes) {
      const told = await ask({ do: 'expect', bytes });
      return told.did === 'expect' ? told.at : Number.NaN;
    },
    stop: () => end(child),
  };
}

/** Sends an order and waits for the answer; throws when the process ends before. */
export async function answerOf<Answer>(child: ChildProcess, order: object): Promise<Answer> {
  const over = new AbortController();
  const answered = once(child, 'message', { signal: over.signal });
  const gone = once(child, 'close', { signal: over.signal }).then(([code]) => {
    throw new Error(`a process of the bench ended with code ${code}`);
  });
  for (const end of [answered, gone]) end.catch(() => {});
  child.send(order);
  try {
    return (await Promise.race([answered, gone]))[0] as Answer;
  } finally {
    over.abort();
  }
}

export async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
