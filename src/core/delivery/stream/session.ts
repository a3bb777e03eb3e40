import { SECOND_MS } from '../../base/time/duration.ts';
import { SlidingWindow } from '../../base/time/sliding-window.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { StreamEnd } from './close-codes.ts';
import { CUT_BYTES, type Forwarder } from './forwarder.ts';
import type { StreamClient, StreamHubOptions } from './stream-client.ts';

/** Messages that a client may send, control frames included. */
const MESSAGES = { most: 10, windowMs: SECOND_MS };
/** A JSON ping is short; a longer text is not parsed. */
const PING_LENGTH_MAX = 1_000;

/** The events of one socket. Events after its end are ignored. */
export class StreamSession {
  readonly #client: StreamClient;
  readonly #options: StreamHubOptions;
  readonly #forwarder: Forwarder;
  readonly #registry: ClientRegistry;
  readonly #messages = new SlidingWindow(MESSAGES.most);

  constructor(
    options: StreamHubOptions,
    client: StreamClient,
    forwarder: Forwarder,
    registry: ClientRegistry,
  ) {
    this.#options = options;
    this.#client = client;
    this.#forwarder = forwarder;
    this.#registry = registry;
  }

  /** A whole message; null for a binary one. */
  message(text: string | null): void {
    if (!this.#isAllowed()) return;
    const { frames } = this.#options;
    const isAlive = text !== null && isPing(text);
    if (isAlive) this.#registry.pinged(this.#client);
    this.#client.socket.send(isAlive ? frames.pong : frames.unknownMessage);
  }

  /** A ping or pong of the protocol. It counts as a message, and not as a ping of the contract. */
  controlFrame(): void {
    this.#isAllowed();
  }

  drained(): void {
    this.#forwarder.drained(this.#client);
  }

  /** The connection has closed. `end`: which side closed it, unless the hub did. */
  gone(end: StreamEnd): void {
    this.#registry.forget(this.#client, end);
  }

  /** Ends a client that sends too many messages, or does not read the answers. */
  #isAllowed(): boolean {
    if (this.#client.isEnded) return false;
    const now = this.#options.clock.now();
    const isSlow = this.#client.socket.unsentBytes() > CUT_BYTES;
    const isTooMany = this.#messages.freeAt(MESSAGES) > now;
    this.#messages.add(now);
    if (isSlow || isTooMany) this.#registry.end(this.#client, isSlow ? 'tooSlow' : 'tooManyMessages');
    return !isSlow && !isTooMany;
  }
}

/** The text `ping` of the contract, or `{"type":"ping"}`. */
function isPing(text: string): boolean {
  if (text.length > PING_LENGTH_MAX) return false;
  const trimmed = text.trim();
  return trimmed === 'ping' || typeOf(trimmed) === 'ping';
}

/** Undefined for what is not JSON. */
function typeOf(json: string): unknown {
  try {
    return (JSON.parse(json) as { type?: unknown }).type;
  } catch {
    return undefined;
  }
}
