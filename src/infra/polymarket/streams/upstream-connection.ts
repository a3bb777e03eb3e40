import { type RawData, WebSocket } from 'ws';
import type { Clock } from '../../../core/clock.ts';
import type { EpochMs } from '../../../core/trade.ts';

/** From the first packet to the end of the handshake. */
const CONNECT_MS = 10_000;
const LONGEST_REASON = 200;

export interface ConnectionOptions {
  readonly url: string;
  /** A longer frame ends the connection. */
  readonly maxPayload: number;
  /** A ping is sent that often. */
  readonly pingMs: number;
  /** What a ping is: a text frame, by default the `PING` that the market wants; null: a ping of the protocol. */
  readonly pingText?: string | null;
  /** So long without a frame that counts, and the connection is taken for frozen, though it is open. */
  readonly silenceMs: number;
  /** What to send first, asked for once connected; null when the connection is not wanted any more. */
  subscription(): string | null;
  /** A text frame. Whether it counts as a sign that the stream is not frozen. */
  onFrame(text: string): boolean;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  /** Ends the connection; not aborted yet. */
  readonly signal: AbortSignal;
  onOpen(): void;
  onEnd(end: ConnectionEnd): void;
}

export interface ConnectionEnd {
  readonly why: string;
  readonly wasOpen: boolean;
  /** From its opening; 0 when it never opened. */
  readonly livedMs: number;
}

/** One connection to a stream of the market. It never opens again. */
export interface Connection {
  /** True with the first frame that counts; false when the connection ended before one. */
  readonly proven: Promise<boolean>;
  /** Aborted when it has ended. */
  readonly ended: AbortSignal;
  livedMs(): number;
  /** Sends a text frame. Whether the connection is open for it. */
  send(text: string): boolean;
  /** Ends it without waiting for the other side. */
  close(): void;
}

/** Connects. Everything it holds (socket, timers, listeners) is let go when it ends. */
export function openConnection(options: ConnectionOptions, deps: ConnectionDeps): Connection {
  const { clock, signal } = deps;
  const life = new AbortController();
  const { promise: proven, resolve: prove } = Promise.withResolvers<boolean>();
  let openedAt: EpochMs | null = null;
  let lastFrameAt = clock.now();
  const socket = new WebSocket(options.url, { maxPayload: options.maxPayload, perMessageDeflate: false });
  const livedMs = () => (openedAt === null ? 0 : Math.abs(clock.now() - openedAt));
  const close = () => end('closed by us');

  function end(why: string): void {
    if (life.signal.aborted) return;
    life.abort();
    signal.removeEventListener('abort', close);
    // Polite closing would wait for an answer that a frozen stream does not give.
    socket.terminate();
    prove(false);
    deps.onEnd({ why: why.slice(0, LONGEST_REASON), wasOpen: openedAt !== null, livedMs: livedMs() });
  }

  /** A fault of ours ends the connection, not the service. */
  function counts(text: string): boolean {
    try {
      return options.onFrame(text);
    } catch (error) {
      end(`a frame could not be handled: ${error}`);
      return false;
    }
  }

  // Stays to the last: a socket that is ended while it connects tells its error afterwards.
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.message || (error.code ?? error.name)));
  socket.on('close', (code) => end(`closed by the market with ${code}`));
  socket.on('open', () => {
    const subscription = options.subscription();
    if (subscription === null) return close();
    openedAt = lastFrameAt = clock.now();
    socket.send(subscription);
    deps.onOpen();
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary || life.signal.aborted || !counts(textOf(data))) return;
    lastFrameAt = clock.now();
    prove(true);
  });
  signal.addEventListener('abort', close, { once: true });
  void watch(() => openedAt !== null);
  void ping(socket, options, { clock, ended: life.signal });

  async function watch(isOpen: () => boolean): Promise<void> {
    await clock.sleep(CONNECT_MS, life.signal);
    if (!isOpen()) end(`no connection within ${CONNECT_MS / 1_000} s`);
    while (!life.signal.aborted) {
      const silentMs = Math.abs(clock.now() - lastFrameAt);
      if (silentMs >= options.silenceMs) end(`nothing that counts for ${options.silenceMs / 1_000} s`);
      else await clock.sleep(options.silenceMs - silentMs, life.signal);
    }
  }

  const send = (text: string) => sent(socket, text);
  return { proven, ended: life.signal, livedMs, send, close };
}

function sent(socket: WebSocket, text: string): boolean {
  const isOpen = socket.readyState === WebSocket.OPEN;
  if (isOpen) socket.send(text);
  return isOpen;
}

async function ping(
  socket: WebSocket,
  { pingMs, pingText = 'PING' }: Pick<ConnectionOptions, 'pingMs' | 'pingText'>,
  { clock, ended }: { readonly clock: Clock; readonly ended: AbortSignal },
): Promise<void> {
  while (!ended.aborted) {
    await clock.sleep(pingMs, ended);
    if (pingText !== null) sent(socket, pingText);
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  }
}

/** With the default `binaryType` a text frame is one Buffer. */
function textOf(data: RawData): string {
  return (data as Buffer).toString('utf8');
}
