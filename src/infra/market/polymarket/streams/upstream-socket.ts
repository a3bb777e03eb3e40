import { repeat, untilAborted } from '../../../../core/base/async/repeat.ts';
import { backoffMs } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics, UpstreamStream } from '../../../../core/metrics.ts';
import { type ConnectionEnd, type ConnectionOptions, UpstreamConnection } from './upstream-connection.ts';

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

export interface UpstreamSocketOptions extends ConnectionOptions, Omit<StreamOptions, 'metrics'> {
  readonly name: UpstreamStream;
  onState(isOpen: boolean): void;
}

/** Connects again whenever a connection ends: one that freezes is noticed by its silence. */
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

  /** Keeps it connected until the signal aborts; releases everything then. */
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

  /** Ends an open connection for a new one, with a new subscription. */
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
    const { name, logger, onState } = this.#options;
    this.#isOpen = true;
    this.#isFailureLogged = false;
    onState(true);
    logger.info({ stream: name }, 'market stream connected');
  }

  #ended({ why, wasOpen, livedMs }: ConnectionEnd, isStopping: boolean): void {
    const { name, logger, onState } = this.#options;
    this.#failures = livedMs >= STEADY_MS ? 1 : this.#failures + 1;
    this.#isOpen = false;
    if (wasOpen) onState(false);
    if (isStopping || this.#isRenewing) return;
    const isNews = wasOpen || !this.#isFailureLogged;
    if (isNews) this.#isFailureLogged = true;
    const message = wasOpen ? 'market stream connection lost' : 'market stream connection failed; retrying';
    logger[isNews ? 'warn' : 'debug']({ stream: name, why, livedMs }, message);
  }
}
