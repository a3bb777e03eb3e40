import { backoffMs } from '../../../core/async/backoff.ts';
import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { UpstreamStream } from '../../../core/metrics/metrics.ts';
import {
  type Connection,
  type ConnectionEnd,
  type ConnectionOptions,
  openConnection,
} from './upstream-connection.ts';

/** Pauses between connections: the first is 0.5 to 1 s, each later one up to twice as long, none above 30 s. */
const PAUSES = { firstMs: 1_000, mostMs: 30_000 };
/** After so long a life the next pause is a first one again. */
const STEADY_MS = MINUTE_MS;
/** Streams of the market were seen to freeze with age, so a connection is replaced before it is old. */
const RENEW_MS = HOUR_MS;

/** A stream of the market that is connected again whenever its connection ends. */
export interface UpstreamSocket {
  /** Keeps it connected until the signal aborts; holds nothing afterwards. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Makes a new connection, with a new subscription, and closes the old one once the new one showed a frame that counts:
   * in between frames may come twice, and none is lost.
   */
  renew(): void;
  isOpen(): boolean;
  /**
   * Sends a text frame on the connection that showed a frame that counts last. Gives the signal that aborts when that
   * connection ends, so that nothing is waited for in vain; null when there is none.
   */
  send(text: string): AbortSignal | null;
}

export interface UpstreamSocketOptions extends ConnectionOptions {
  readonly name: UpstreamStream;
  /** Told of every change. */
  onState(isOpen: boolean): void;
}

export interface UpstreamSocketDeps {
  readonly clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  readonly logger: Logger;
}

export function createUpstreamSocket(
  options: UpstreamSocketOptions,
  { clock, random, logger }: UpstreamSocketDeps,
): UpstreamSocket {
  const states = createStates(options, logger);
  let renewal = Promise.withResolvers<void>();
  let current: Connection | null = null;

  const connect = (signal: AbortSignal): Connection =>
    openConnection(options, {
      clock,
      signal,
      onOpen: states.opened,
      onEnd: (end) => states.ended(end, signal.aborted),
    });

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      renewal = Promise.withResolvers();
      const next = connect(signal);
      if (await next.proven) {
        current?.close();
        current = next;
        const ageMs = RENEW_MS * (0.9 + 0.1 * random());
        await Promise.race([clock.sleep(ageMs, next.ended), renewal.promise]);
        if (next.livedMs() >= STEADY_MS) failures = 0;
        if (!next.ended.aborted) continue;
      }
      failures += 1;
      await clock.sleep(backoffMs(PAUSES, failures, random), signal);
    }
  }

  return {
    run,
    renew: () => renewal.resolve(),
    isOpen: states.isOpen,
    send: (text) => (current?.send(text) === true ? current.ended : null),
  };
}

/** Counts the connections that are open (two while one replaces the other), and tells of changes only. */
function createStates({ name, onState }: UpstreamSocketOptions, logger: Logger) {
  let open = 0;
  let isFailureLogged = false;

  return {
    isOpen: () => open > 0,
    opened(): void {
      open += 1;
      if (open > 1) return;
      isFailureLogged = false;
      onState(true);
      logger.info({ stream: name }, 'a stream of the market is open');
    },
    ended({ why, wasOpen, livedMs }: ConnectionEnd, isStopping: boolean): void {
      if (wasOpen) open -= 1;
      const isLast = wasOpen && open === 0;
      if (isLast) onState(false);
      if (isStopping) return;
      const isNews = isLast || (open === 0 && !isFailureLogged);
      if (isNews) isFailureLogged = true;
      logger[isNews ? 'warn' : 'debug'](
        { stream: name, why, livedMs },
        'a connection to a stream of the market ended',
      );
    },
  };
}
