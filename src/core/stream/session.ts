import type { Clock } from '../clock.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { StreamEnd } from './close-codes.ts';
import type { Forwarder } from './forwarder.ts';
import { createMessageLimit } from './message-limit.ts';
import { CUT_BYTES } from './slow-clients.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamFrames } from './stream-socket.ts';

/** A JSON ping is short; what is longer is none. */
const PING_LENGTH = 1_000;

/** What the socket tells the hub. Calls after the end change nothing. */
export interface StreamSession {
  /** A whole message; null for one that is no text. */
  message(text: string | null): void;
  /** A ping or pong of the protocol: it counts as a message, and keeps nothing alive. */
  controlFrame(): void;
  /** What was sent has left the process. */
  drained(): void;
  /** The connection is over; `end` says who ended it where the hub did not. */
  gone(end: StreamEnd): void;
}

interface SessionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly frames: Pick<StreamFrames, 'pong' | 'unknownMessage'>;
  readonly forwarder: Pick<Forwarder, 'drained'>;
  readonly registry: Pick<ClientRegistry, 'pinged' | 'end' | 'forget'>;
}

/** For a socket that was ended before it was greeted. */
export const NO_SESSION: StreamSession = {
  message: () => {},
  controlFrame: () => {},
  drained: () => {},
  gone: () => {},
};

/** What a client says, and what it is answered. */
export function createSession(
  client: StreamClient,
  { clock, frames, forwarder, registry }: SessionDeps,
): StreamSession {
  const limit = createMessageLimit(clock.now());

  /** False when it was one message too many, the answers are not read, or none is heard any more. */
  function isCounted(): boolean {
    if (client.isEnded) return false;
    const isSlow = client.socket.unsentBytes() > CUT_BYTES;
    if (!isSlow && limit.take(clock.now())) return true;
    registry.end(client, isSlow ? 'tooSlow' : 'tooManyMessages');
    return false;
  }

  return {
    message(text) {
      if (!isCounted()) return;
      const isAlive = text !== null && isPing(text);
      if (isAlive) registry.pinged(client);
      client.socket.send(isAlive ? frames.pong : frames.unknownMessage);
    },
    controlFrame: () => void isCounted(),
    drained: () => forwarder.drained(client),
    gone: (end) => registry.forget(client, end),
  };
}

/** Whether a text message is a ping: the text `ping` of the contract, or `{"type":"ping"}`. */
function isPing(text: string): boolean {
  if (text.length > PING_LENGTH) return false;
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
