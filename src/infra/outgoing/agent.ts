import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';

export type Connect = (target: buildConnector.Options, signal: AbortSignal | undefined) => Promise<Socket>;

interface AgentOptions extends Omit<Agent.Options, 'allowH2' | 'connect' | 'factory'> {
  readonly connect?: Connect;
}

/** An undici agent for HTTP/1.1, one request at a time on a connection. Time limits are off unless given: see `withTimeout`. */
export function createAgent({ connect, ...options }: AgentOptions = {}): Agent {
  const factory = (origin: string | URL, given: object) => new AbortableClient(origin, given, connect);
  const createPool = (origin: string | URL, given: object) => new Pool(origin, { ...given, factory });
  return new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    ...options,
    allowH2: false,
    factory: createPool,
  });
}

/** undici ignores the signal of a request until it is written: these requests can be aborted before. */
class AbortableClient extends Client {
  readonly #current: { signal: AbortSignal | undefined };

  constructor(origin: string | URL, options: object, connect: Connect | undefined) {
    // A client of a pool has one request at a time.
    const current: { signal: AbortSignal | undefined } = { signal: undefined };
    const connector: buildConnector.connector = (target, callback) => {
      connect?.(target, current.signal).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    };
    super(origin, connect === undefined ? options : { ...options, connect: connector });
    this.#current = current;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions & { readonly signal?: AbortSignal },
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.#current.signal = options.signal;
    if (options.signal?.aborted !== true) return super.dispatch(options, handler);
    handler.onResponseError?.(null as never, options.signal.reason);
    return true;
  }
}
