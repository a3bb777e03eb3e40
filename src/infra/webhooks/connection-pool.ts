import type { OpenConnection } from './guarded-connect.ts';
import { createHttpConnection, type HttpConnection } from './http-connection.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

export interface ConnectionPool {
  /** A connection of one's own to the origin of an address, once there is room; rejects as `OpenConnection` does. */
  take(url: URL, signal: AbortSignal): Promise<HttpConnection>;
  /** For the next to take, if it is still open. */
  giveBack(url: URL, connection: HttpConnection): void;
  /** Ends the idle ones; from now on none is kept. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly open: OpenConnection;
  readonly perOrigin: number;
}

/** Holds nothing of an origin but connections in use or idle; the idle ones end by themselves. */
export function createConnectionPool({ open, perOrigin }: PoolOptions): ConnectionPool {
  const slots = createKeyedSemaphore(perOrigin);
  const idle = new Map<string, Set<HttpConnection>>();
  let isClosed = false;

  function forget(origin: string, connection: HttpConnection): void {
    const kept = idle.get(origin);
    kept?.delete(connection);
    if (kept?.size === 0) idle.delete(origin);
  }

  /** The one that was used last has the longest to live. */
  function takeIdle(origin: string): HttpConnection | null {
    const connection = [...(idle.get(origin) ?? [])].at(-1);
    if (connection === undefined) return null;
    forget(origin, connection);
    return connection;
  }

  async function connect(url: URL, signal: AbortSignal): Promise<HttpConnection> {
    const connection: HttpConnection = createHttpConnection(url.origin, await open(url, signal), () =>
      forget(url.origin, connection),
    );
    return connection;
  }

  return {
    async take(url, signal) {
      await slots.take(url.origin, signal);
      try {
        return takeIdle(url.origin) ?? (await connect(url, signal));
      } catch (error) {
        slots.free(url.origin);
        throw error;
      }
    },
    giveBack({ origin }, connection) {
      if (isClosed) connection.end().catch(() => {});
      else if (connection.isOpen) idle.set(origin, (idle.get(origin) ?? new Set()).add(connection));
      slots.free(origin);
    },
    async close() {
      isClosed = true;
      await Promise.all(
        [...idle.values()].flatMap((kept) => [...kept]).map((connection) => connection.end()),
      );
    },
  };
}
