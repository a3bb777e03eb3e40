import { type RawData, WebSocket } from 'ws';
import { repeat, untilAborted } from '../../../../core/base/async/repeat.ts';
import { backoffMs } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics, UpstreamStream } from '../../../../core/metrics.ts';
import { type ProxySettings, proxiedAgent } from '../../../outgoing/proxy.ts';
import { PRODUCT } from '../../../outgoing/user-agent.ts';

/** Pauses between connections: the first is 0.5 to 1 s, each later one up to twice as long, none above 30 s. */
const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };
/** A connection that lived this long resets the backoff. */
const STEADY_MS = MINUTE_MS;
export interface StreamOptions {
  /** A node's is a secret: its path may contain a key. */
  readonly url: string;
  readonly proxies?: ProxySettings | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
}

export interface UpstreamSocketOptions extends StreamOptions {
  readonly name: UpstreamStream;
  /** Bytes. A longer frame ends the connection. */
  readonly maxPayload: number;
  readonly pingMs: number;
  /** Text frame that is sent as a ping, by default the `PING` that the market expects. Null: a ping of the protocol. */
  readonly pingText?: string | null;
  /** An open connection without a frame that counts for this long is frozen, and is closed. */
  readonly silenceMs: number;
  /** Text frames that are sent when a connection opens. */
  subscriptions(): readonly string[];
  /** Handles a text frame. Whether it counts as a sign of life. */
  onFrame(text: string): boolean;
  /** The handshake was answered with this status instead. */
  onRefused?(status: number, retryAfter: string | undefined): void;
  /** The next connection is made after this time at the earliest. */
  pauseMs?(): number;
}

const CONNECT_MS = 10_000;
const LONGEST_REASON = 200;

/** One connection at a time, and another one whenever it ends. An end releases its socket, timers and listeners. */
export class UpstreamSocket {
  readonly #options: UpstreamSocketOptions;
  #socket: WebSocket | null = null;
  #life = new AbortController();
  #end: (why: string) => void = () => {};
  #openedAt: EpochMs | null = null;
  #lastFrameAt: EpochMs = 0;
  #isRenewing = false;
  #failures = 0;

  constructor(options: UpstreamSocketOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, random, pauseMs = () => 0 } = this.#options;
    const connect = async () => {
      do {
        this.#isRenewing = false;
        await this.#connect(signal);
      } while (this.#isRenewing && !signal.aborted);
    };
    const intervalMs = () => Math.max(backoffMs(BACKOFF, this.#failures, random), pauseMs());
    return repeat(connect, { clock, signal, intervalMs });
  }

  renew(): void {
    if (!this.isOpen) return;
    this.#isRenewing = true;
    this.#end('renewed');
  }

  /** Sends a text frame. Returns the signal that aborts when its connection ends; null when there is none. */
  send(text: string): AbortSignal | null {
    if (this.#socket?.readyState !== WebSocket.OPEN) return null;
    this.#socket.send(text);
    return this.#life.signal;
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { url, proxies, clock, maxPayload } = this.#options;
    const headers = { 'user-agent': PRODUCT };
    const agent = proxiedAgent(url, proxies);
    const socket = new WebSocket(url, { agent, headers, maxPayload, perMessageDeflate: false });
    const life = new AbortController();
    const end = (why: string) => {
      if (life.signal.aborted) return;
      life.abort();
      // A closing handshake would wait for an answer that a frozen stream does not give.
      socket.terminate();
      this.#ended(why.slice(0, LONGEST_REASON), signal.aborted);
    };
    this.#socket = socket;
    this.#life = life;
    this.#end = end;
    this.#lastFrameAt = clock.now();
    // Never removed: a socket that is terminated while it connects emits its error afterwards.
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.message || (error.code ?? error.name)));
    socket.on('close', (code, reason) => end(`closed by the market with ${code} ${reason}`.trim()));
    socket.on('unexpected-response', (_request, { statusCode = 0, headers }) => {
      this.#options.onRefused?.(statusCode, headers['retry-after']);
      end(`unexpected server response: ${statusCode}`);
    });
    socket.on('open', () => this.#opened(socket));
    socket.on('message', (data, isBinary) => {
      if (!isBinary && !life.signal.aborted) this.#take(data, end);
    });
    const stop = () => end('closed by this service');
    signal.addEventListener('abort', stop, { once: true });
    void this.#watch(life.signal, end);
    void this.#ping(socket, life.signal);
    await untilAborted(life.signal);
    signal.removeEventListener('abort', stop);
  }

  #opened(socket: WebSocket): void {
    const { name, clock, logger, metrics, subscriptions } = this.#options;
    this.#openedAt = this.#lastFrameAt = clock.now();
    for (const text of subscriptions()) socket.send(text);
    metrics.upstreamStream(name, true);
    logger.info({ stream: name }, 'market stream connected');
  }

  /** An exception of the handler ends the connection, not the service. With the default `binaryType` a frame is one Buffer. */
  #take(data: RawData, end: (why: string) => void): void {
    const { clock, onFrame } = this.#options;
    try {
      if (onFrame((data as Buffer).toString('utf8'))) this.#lastFrameAt = clock.now();
    } catch (error) {
      end(`frame handler failed: ${error}`);
    }
  }

  async #watch(signal: AbortSignal, end: (why: string) => void): Promise<void> {
    const { clock, silenceMs } = this.#options;
    await clock.sleep(CONNECT_MS, signal);
    if (!this.isOpen) end(`connect timeout after ${CONNECT_MS / 1_000} s`);
    const leftMs = () => silenceMs - Math.abs(clock.now() - this.#lastFrameAt);
    const look = () => leftMs() <= 0 && end(`frozen: no frame that counts for ${silenceMs / 1_000} s`);
    await repeat(look, { clock, signal, intervalMs: leftMs });
  }

  #ping(socket: WebSocket, signal: AbortSignal): Promise<void> {
    const { clock, pingMs, pingText = 'PING' } = this.#options;
    const ping = () => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (pingText === null) socket.ping();
      else socket.send(pingText);
    };
    return repeat(ping, { clock, signal, intervalMs: pingMs });
  }

  #ended(why: string, isStopping: boolean): void {
    const { name, clock, logger, metrics } = this.#options;
    const wasOpen = this.isOpen;
    const livedMs = Math.abs(clock.now() - (this.#openedAt ?? clock.now()));
    this.#openedAt = null;
    this.#failures = livedMs >= STEADY_MS ? 1 : this.#failures + 1;
    if (wasOpen) metrics.upstreamStream(name, false);
    if (isStopping || this.#isRenewing) return;
    const message = wasOpen ? 'market stream connection lost' : 'market stream connection failed; retrying';
    logger.warn({ stream: name, why, livedMs }, message);
  }
}
