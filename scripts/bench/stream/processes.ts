import { Remote } from '../remote.ts';
import { issueKeys } from '../service.ts';
import type { StreamClients } from './clients.ts';
import type { StreamServer } from './server.ts';

/** Sockets one enterprise key may have. */
const PER_KEY = 50;

export function startServer(env: NodeJS.ProcessEnv = process.env): Remote<StreamServer> {
  return new Remote(new URL('./server.ts', import.meta.url), { env });
}

export function startClients(): Remote<StreamClients> {
  return new Remote(new URL('./clients.ts', import.meta.url));
}

export async function streamPaths(databaseUrl: string, clients: number): Promise<readonly string[]> {
  const secrets = await issueKeys(databaseUrl, Math.ceil(clients / PER_KEY));
  return Array.from(
    { length: clients },
    (_, index) => `/ws/alerts?api_key=${secrets[Math.floor(index / PER_KEY)]}`,
  );
}
