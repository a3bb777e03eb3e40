import { type RawData, WebSocket } from 'ws';
import { repeat, untilAborted } from '../../../../core/base/async/repeat.ts';
import { backoffMs } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics, UpstreamStream } from '../../../../core/metrics.ts';
import { PRODUCT } from '../../../outgoing/user-agent.ts';

/** Pauses between connections: the first is 0.5 to 1 s, each later one up to twice as long, none above 30 s. */
const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };
/** A connection that lived this long resets the backoff. */
const STEADY_MS = MINUTE_MS;
export interface StreamOptions {
  /** A node's is a secret: its path may contain a key. */
  readonly url: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
}

export interface UpstreamSocketOptions extends ConnectionOptions, StreamOptions {
  readonly name: UpstreamStream;
}

export class UpstreamSocket {
  readonly #options: UpstreamSocketOptions;
  #current: UpstreamConnection | null = null;
  #isOpen = false;
  #isRenewing = false;
  #failures = 0;
  #isFailureLogged = false;

  constructor(options: UpstreamSocketOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const events = {
      onOpen: () => this.#opened(),
      onEnd: (end: ConnectionEnd) => this.#ended(end, signal.aborted),
    };
    const connect = async () => {
      do {
        this.#isRenewing = false;
        this.#current = new UpstreamConnection(this.#options, events, signal);
        await untilAborted(this.#current.ended);
      } while (this.#isRenewing && !signal.aborted);
    };
    return repeat(connect, { clock, signal, intervalMs: () => backoffMs(BACKOFF, this.#failures, random) });
  }

  renew(): void {
    if (!this.#isOpen) return;
    this.#isRenewing = true;
    this.#current?.close();
  }

  /** Sends a text frame. Returns the signal that aborts when its connection ends; null when there is none. */
  send(text: string): AbortSignal | null {
    return this.#current?.send(text) === true ? this.#current.ended : null;
  }

  #opened(): void {
    const { name, logger, metrics } = this.#options;
    this.#isOpen = true;
    this.#isFailureLogged = false;
    metrics.upstreamStream(name, true);
    logger.info({ stream: name }, 'market stream connected');
  }

  #ended({ why, wasOpen, livedMs }: ConnectionEnd, isStopping: boolean): void {
    const { name, logger, metrics } = this.#options;
    this.#failures = livedMs >= STEADY_MS ? 1 : this.#failures + 1;
    this.#isOpen = false;
    if (wasOpen) metrics.upstreamStream(name, false);
    if (isStopping || this.#isRenewing) return;
    const isNews = wasOpen || !this.#isFailureLogged;
    if (isNews) this.#isFailureLogged = true;
    const message = wasOpen ? 'market stream connection lost' : 'market stream connection failed; retrying';
    logger[isNews ? 'warn' : 'debug']({ stream: name, why, livedMs }, message);
  }
}

const CONNECT_MS = 10_000;
const LONGEST_REASON = 200;

export interface ConnectionOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Bytes. A longer frame ends the connection. */
  readonly maxPayload: number;
  readonly pingMs: number;
  /** Text frame that is sent as a ping, by default the `PING` that the market expects. Null: a ping of the protocol. */
  readonly pingText?: string | null;
  /** An open connection without a frame that counts for this long is frozen, and is closed. */
  readonly silenceMs: number;
  subscription(): string;
  /** Handles a text frame. Whether it counts as a sign of life. */
  onFrame(text: string): boolean;
}

export interface ConnectionEvents {
  onOpen(): void;
  onEnd(end: ConnectionEnd): void;
}

export interface ConnectionEnd {
  readonly why: string;
  readonly wasOpen: boolean;
  readonly livedMs: number;
}

/** One connection to a stream of the market. It never reconnects, and when it ends it releases its socket, timers and listeners. */
export class UpstreamConnection {
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #signal: AbortSignal;
  readonly #socket: WebSocket;
  readonly #life = new AbortController();
  #openedAt: EpochMs | null = null;
  #lastFrameAt: EpochMs;

  /** Connects. `signal` closes the connection; it must not be aborted yet. */
  constructor(options: ConnectionOptions, events: ConnectionEvents, signal: AbortSignal) {
    this.#options = options;
    this.#events = events;
    this.#signal = signal;
    this.#lastFrameAt = options.clock.now();
    const { url, maxPayload } = options;
    const headers = { 'user-agent': PRODUCT };
    this.#socket = new WebSocket(url, { headers, maxPayload, perMessageDeflate: false });
    this.#listen();
    signal.addEventListener('abort', this.close, { once: true });
    void this.#watch();
    void this.#ping();
  }

  get ended(): AbortSignal {
    return this.#life.signal;
  }

  send(text: string): boolean {
    const isOpen = this.#socket.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket.send(text);
    return isOpen;
  }

  /** Ends the connection without waiting for the other side. */
  readonly close = (): void => this.#end('closed by this service');

  #listen(): void {
    const socket = this.#socket;
    // Never removed: a socket that is terminated while it connects emits its error afterwards.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(error.message || (error.code ?? error.name)),
    );
    socket.on('close', (code) => this.#end(`closed by the market with ${code}`));
    socket.on('open', () => this.#open());
    socket.on('message', (data, isBinary) => {
      if (isBinary || this.#life.signal.aborted || !this.#counts(textOf(data))) return;
      this.#lastFrameAt = this.#options.clock.now();
    });
  }

  #open(): void {
    this.#openedAt = this.#lastFrameAt = this.#options.clock.now();
    this.#socket.send(this.#options.subscription());
    this.#events.onOpen();
  }

  /** An exception of the handler ends the connection, not the service. */
  #counts(text: string): boolean {
    try {
      return this.#options.onFrame(text);
    } catch (error) {
      this.#end(`frame handler failed: ${error}`);
      return false;
    }
  }

  async #watch(): Promise<void> {
    const { clock, silenceMs } = this.#options;
    const { signal } = this.#life;
    await clock.sleep(CONNECT_MS, signal);
    if (this.#openedAt === null) this.#end(`connect timeout after ${CONNECT_MS / 1_000} s`);
    const leftMs = () => silenceMs - Math.abs(clock.now() - this.#lastFrameAt);
    const look = () => leftMs() <= 0 && this.#end(`frozen: no frame that counts for ${silenceMs / 1_000} s`);
    await repeat(look, { clock, signal, intervalMs: leftMs });
  }

  #ping(): Promise<void> {
    const { clock, pingMs, pingText = 'PING' } = this.#options;
    const ping = () => {
      if (pingText !== null) this.send(pingText);
      else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    };
    return repeat(ping, { clock, signal: this.#life.signal, intervalMs: pingMs });
  }

  #end(why: string): void {
    if (this.#life.signal.aborted) return;
    this.#life.abort();
    this.#signal.removeEventListener('abort', this.close);
    // A closing handshake would wait for an answer that a frozen stream does not give.
    this.#socket.terminate();
    const wasOpen = this.#openedAt !== null;
    const livedMs = Math.abs(this.#options.clock.now() - (this.#openedAt ?? this.#options.clock.now()));
    this.#events.onEnd({ why: why.slice(0, LONGEST_REASON), wasOpen, livedMs });
  }
}

/** With the default `binaryType` a text frame is one Buffer. */
function textOf(data: RawData): string {
  return (data as Buffer).toString('utf8');
}
