import type { WebSocketClass } from './connection.ts';
import { type Alert, type FollowOptions, follow, type StreamEvent } from './follow.ts';
import { type Lists, listsOf } from './lists.ts';
import { type Operations, operationsOf } from './operations.ts';
import { type Service, serviceOf } from './request.ts';

export interface ClientOptions {
  /** Address of the service without a path, such as `https://alerts.example.com`. */
  readonly url: string;
  /** `sk_live_…`; public routes need none. */
  readonly apiKey?: string;
  /** Attempts after the first, when a 429 or an outage is waited out; default 2. */
  readonly retries?: number;
  /** A `Retry-After` above this is not waited for; default 60,000. */
  readonly longestWaitMs?: number;
  /** Time limit of one attempt; default 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** The class of sockets; default: the global one, or that of the package `ws`. */
  readonly webSocket?: WebSocketClass;
  /** Waits between attempts and connections. For tests. */
  readonly wait?: Service['wait'];
}

/** The operations of the API by their documented names, its lists as iterators, and the stream. */
export type Tipoff = Operations &
  Lists & {
    /**
     * Every alert from `sinceId` on, once, in the order of ids, through lost connections and restarts of the server. Ends
     * when `signal` is aborted; throws `StreamEndedError` or `TipoffError` when the server refuses the client.
     */
    readonly follow: Follow;
  };

/** Alerts, or with `outcomes: true` or `exits: true` events. */
interface Follow {
  (
    options: FollowOptions & ({ readonly outcomes: true } | { readonly exits: true }),
  ): AsyncGenerator<StreamEvent, void, undefined>;
  (
    options?: FollowOptions & { readonly outcomes?: false; readonly exits?: false },
  ): AsyncGenerator<Alert, void, undefined>;
}

/** A client of one service with one key. */
export function createTipoff({ webSocket, ...options }: ClientOptions): Tipoff {
  const service = serviceOf(options);
  const socketClass = async () => webSocket ?? (await defaultWebSocket());
  return {
    ...operationsOf(service),
    ...listsOf(service),
    follow: ((followed: FollowOptions = {}) =>
      follow({ service, webSocket: socketClass }, followed)) as Follow,
  };
}

async function defaultWebSocket(): Promise<WebSocketClass> {
  if (typeof globalThis.WebSocket === 'function') return globalThis.WebSocket as WebSocketClass;
  // A name that bundlers for browsers do not follow.
  const name = 'ws';
  const { WebSocket } = (await import(name).catch((cause: unknown) => {
    throw new Error('This runtime has no WebSocket: install the package `ws`, or give `webSocket`.', {
      cause,
    });
  })) as { WebSocket: WebSocketClass };
  return WebSocket;
}
