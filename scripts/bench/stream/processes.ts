import { HEAP_OPTIONS } from '../../../test/support/heap-options.ts';
import { Remote } from '../remote.ts';
import { issueKeys } from '../service.ts';
import type { StreamClients } from './clients.ts';
import type { StreamServer } from './server.ts';

/** Sockets one enterprise key may have. */
const PER_KEY = 50;

export function startServer(env: NodeJS.ProcessEnv = process.env): Remote<StreamServer> {
  const execArgv = [...process.execArgv, ...HEAP_OPTIONS];
  return new Remote(new URL('./server.ts', import.meta.url), { env, execArgv });
}

export function startClients(env: NodeJS.ProcessEnv = process.env): Remote<StreamClients> {
  return new Remote(new URL('./clients.ts', import.meta.url), { env });
}

export type StreamSide = Awaited<ReturnType<typeof startSide>>;

/** A server with the heap of the service, and a process of clients for it. */
export async function startSide(kind: 'service' | 'raw', settings: Readonly<Record<string, string>>) {
  const server = startServer();
  const clients = startClients();
  const port = await server.call('start', kind, settings);
  return {
    server,
    clients,
    connect: (paths: readonly string[]) => clients.call('connect', port, paths),
    async [Symbol.asyncDispose]() {
      await Promise.all([server, clients].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

export async function streamPaths(databaseUrl: string, clients: number): Promise<readonly string[]> {
  const secrets = await issueKeys(databaseUrl, Math.ceil(clients / PER_KEY));
  return Array.from(
    { length: clients },
    (_, index) => `/ws/alerts?api_key=${secrets[Math.floor(index / PER_KEY)]}`,
  );
}
