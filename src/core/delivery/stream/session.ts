import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { StreamEnd } from './close-codes.ts';
import { CUT_BYTES, type Forwarder } from './forwarder.ts';
import type { StreamClient, StreamFrames } from './stream-client.ts';

/** Messages that a client may send in a second, control frames included. */
const MESSAGES_PER_SECOND = 10;
/** A JSON ping is short; a longer text is not parsed. */
const PING_LENGTH_MAX = 1_000;

interface SessionOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly frames: Pick<StreamFrames, 'pong' | 'unknownMessage'>;
  readonly forwarder: Pick<Forwarder, 'drained'>;
  readonly registry: Pick<ClientRegistry, 'pinged' | 'end' | 'forget'>;
}

/** The events of one socket. Events after its end are ignored. */
export class StreamSession {
  readonly #client: StreamClient;
  readonly #options: SessionOptions;
  /** A token bucket with the messages of one second, as it was at `#last`. */
  #left = MESSAGES_PER_SECOND;
  #last: EpochMs;

  constructor(client: StreamClient, options: SessionOptions) {
    this.#client = client;
    this.#options = options;
    this.#last = options.clock.now();
  }

  /** A whole message; null for a binary one. */
  message(text: string | null): void {
    if (!this.#isAllowed()) return;
    const { frames, registry } = this.#options;
    const isAlive = text !== null && isPing(text);
    if (isAlive) registry.pinged(this.#client);
    this.#client.socket.send(isAlive ? frames.pong : frames.unknownMessage);
  }

  /** A ping or pong of the protocol. It counts as a message, and not as a ping of the contract. */
  controlFrame(): void {
    this.#isAllowed();
  }

  /** The socket's buffer is empty. */
  drained(): void {
    this.#options.forwarder.drained(this.#client);
  }

  /** The connection has closed. `end`: which side closed it, unless the hub did. */
  gone(end: StreamEnd): void {
    this.#options.registry.forget(this.#client, end);
  }

  /** Ends a client that sends too many messages, or does not read the answers. */
  #isAllowed(): boolean {
    if (this.#client.isEnded) return false;
    const isSlow = this.#client.socket.unsentBytes() > CUT_BYTES;
    if (!isSlow && this.#takeMessage()) return true;
    this.#options.registry.end(this.#client, isSlow ? 'tooSlow' : 'tooManyMessages');
    return false;
  }

  /** Takes one message from the bucket; false if none is left. */
  #takeMessage(): boolean {
    const now = this.#options.clock.now();
    // A clock that was set back adds nothing.
    const gained = (Math.max(0, now - this.#last) * MESSAGES_PER_SECOND) / 1_000;
    this.#left = Math.min(MESSAGES_PER_SECOND, this.#left + gained);
    this.#last = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** The text `ping` of the contract, or `{"type":"ping"}`. */
function isPing(text: string): boolean {
  if (text.length > PING_LENGTH_MAX) return false;
  const trimmed = text.trim();
  return trimmed === 'ping' || (trimmed.startsWith('{') && typeOf(trimmed) === 'ping');
}

function typeOf(json: string): unknown {
  try {
    return (JSON.parse(json) as { type?: unknown }).type;
  } catch {
    return undefined;
  }
}
