import { repeat } from '../../../../core/base/async/repeat.ts';
import { backoffMs } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics, UpstreamStream } from '../../../../core/metrics.ts';
import { type ConnectionEnd, type ConnectionOptions, UpstreamConnection } from './upstream-connection.ts';

/** Pauses between connections: the first is 0.5 to 1 s, each later one up to twice as long, none above 30 s. */
const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };
/** A connection that lived this long resets the backoff. */
const STEADY_MS = MINUTE_MS;
/** Streams of the market were seen to freeze with age, so a connection is replaced before it is old. */
const RENEW_MS = HOUR_MS;

/** Constructor options that the streams of the market share. */
export interface StreamOptions {
  /** A node's is a secret: its path may contain a key. */
  readonly url: string;
  readonly clock: Clock;
  /** From 0 up to 1, for jitter. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
}

export interface UpstreamSocketOptions extends ConnectionOptions, Omit<StreamOptions, 'metrics'> {
  readonly name: UpstreamStream;
  /** Called on each change. */
  onState(isOpen: boolean): void;
}

/** A stream of the market that reconnects whenever its connection ends. */
export class UpstreamSocket {
  readonly #options: UpstreamSocketOptions;
  #renewal = new AbortController();
  #current: UpstreamConnection | null = null;
  /** Connections that are open: two while one replaces the other. */
  #open = 0;
  #failures = 0;
  #isFailureLogged = false;

  constructor(options: UpstreamSocketOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Keeps it connected until the signal aborts; releases everything then. */
  run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const connect = async () => {
      while ((await this.#hold(signal)) === 'replaced');
      this.#failures += 1;
    };
    return repeat(connect, { clock, signal, intervalMs: () => backoffMs(BACKOFF, this.#failures, random) });
  }

  /**
   * Makes a new connection, with a new subscription, and closes the old one once the new one showed a frame that counts.
   * In between frames may come twice, and none is lost.
   */
  renew(): void {
    this.#renewal.abort();
  }

  /**
   * Sends a text frame on the connection that last showed a frame that counts. Returns the signal that aborts when that
   * connection ends; null when there is none.
   */
  send(text: string): AbortSignal | null {
    return this.#current?.send(text) === true ? this.#current.ended : null;
  }

  /** Connects, and waits until the connection is lost or must be replaced. */
  async #hold(signal: AbortSignal): Promise<'lost' | 'replaced'> {
    const { clock, random } = this.#options;
    this.#renewal = new AbortController();
    const events = {
      onOpen: () => this.#opened(),
      onEnd: (end: ConnectionEnd) => this.#ended(end, signal.aborted),
    };
    const next = new UpstreamConnection(this.#options, events, signal);
    if (!(await next.proven)) return 'lost';
    this.#current?.close();
    this.#current = next;
    const ageMs = RENEW_MS * (0.9 + 0.1 * random());
    await clock.sleep(ageMs, AbortSignal.any([next.ended, this.#renewal.signal]));
    if (next.livedMs >= STEADY_MS) this.#failures = 0;
    return next.ended.aborted ? 'lost' : 'replaced';
  }

  #opened(): void {
    const { name, logger, onState } = this.#options;
    this.#open += 1;
    if (this.#open > 1) return;
    this.#isFailureLogged = false;
    onState(true);
    logger.info({ stream: name }, 'market stream connected');
  }

  #ended({ why, wasOpen, livedMs }: ConnectionEnd, isStopping: boolean): void {
    const { name, logger, onState } = this.#options;
    if (wasOpen) this.#open -= 1;
    const isLast = wasOpen && this.#open === 0;
    if (isLast) onState(false);
    if (isStopping) return;
    const isNews = isLast || (this.#open === 0 && !this.#isFailureLogged);
    if (isNews) this.#isFailureLogged = true;
    const message = wasOpen ? 'market stream connection lost' : 'market stream connection failed; retrying';
    logger[isNews ? 'warn' : 'debug']({ stream: name, why, livedMs }, message);
  }
}
