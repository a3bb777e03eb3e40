import { issueKeys } from '../service.ts';

/** Sockets one enterprise key may have. */
const PER_KEY = 50;

/** Addresses of the stream for so many clients, each key's sockets within its limit. */
export async function streamPaths(databaseUrl: string, clients: number): Promise<readonly string[]> {
  const secrets = await issueKeys(databaseUrl, Math.ceil(clients / PER_KEY));
  return Array.from(
    { length: clients },
    (_, index) => `/ws/alerts?api_key=${secrets[Math.floor(index / PER_KEY)]}`,
  );
}
