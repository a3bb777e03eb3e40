import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { IsPublicAddress } from '../../core/delivery/webhooks/webhook-url.ts';
import type { Connect } from './agent.ts';
import { AttemptFailure, connectFailure, handshakeFailure } from './attempt-failure.ts';

interface GuardOptions {
  readonly resolve: ResolveHost;
  /** Null: any address is allowed. */
  readonly isPublic: IsPublicAddress | null;
}

const MAX_ANSWER_BYTES = 256 * 1_024;

/** Each connection verifies the certificate: no session is resumed. */
const connectTls = buildConnector({ allowH2: false, timeout: 0, maxCachedSessions: 0 });
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/**
 * Connects to public addresses only. A name is resolved once for each connection, all its addresses must be public, and
 * the connection is made to one of these: a name that resolves differently a moment later (DNS rebinding) changes
 * nothing. The address of an open connection is checked again before the first byte is sent.
 */
export function createGuardedConnect(guard: GuardOptions): Connect {
  const { isPublic } = guard;
  return async (target, signal = new AbortController().signal) => {
    signal.throwIfAborted();
    const { hostname } = target;
    // Node does not look up a host that is an address.
    if (isIP(hostname) !== 0 && isPublic?.(hostname) === false) throw new AttemptFailure('not_public');
    const port = Number(target.port || DEFAULT_PORTS[target.protocol]);
    const tcp = connectTcp({ host: hostname, port, lookup: guardedLookup(guard, signal), noDelay: true });
    const abort = () => void tcp.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await connected(tcp);
      if (isPublic?.(tcp.remoteAddress ?? '') === false)
        throw new AttemptFailure(tcp.remoteAddress === undefined ? 'reset' : 'not_public');
      const isPlain = target.protocol === 'http:';
      return closeWhenFlooded(isPlain ? tcp : await secured(tcp, target));
    } catch (error) {
      tcp.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}

async function connected(tcp: Socket): Promise<void> {
  // Heard until the end: an `error` event without a listener ends the process.
  tcp.on('error', () => {});
  try {
    await once(tcp, 'connect');
  } catch (error) {
    throw connectFailure(error);
  }
}

function guardedLookup({ resolve, isPublic }: GuardOptions, signal: AbortSignal): LookupFunction {
  async function lookUp(name: string) {
    const addresses = await resolve(name, signal).catch((error: unknown) => {
      throw new AttemptFailure('dns', error);
    });
    if (addresses.length === 0) throw new AttemptFailure('dns');
    if (isPublic !== null && !addresses.every(isPublic)) throw new AttemptFailure('not_public');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }
  return (name, _options, callback) => {
    lookUp(name).then(
      (addresses) => callback(null, addresses),
      (error: Error) => callback(error, []),
    );
  };
}

/** The certificate must be valid for the host of the URL, whatever its address. */
function secured(tcp: Socket, target: buildConnector.Options): Promise<Socket> {
  const { hostname } = target;
  const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
  return new Promise((resolve, reject) => {
    tcp.once('close', () => reject(new AttemptFailure('reset')));
    connectTls({ ...target, servername, httpSocket: tcp }, (error, socket) =>
      error === null ? resolve(socket) : reject(handshakeFailure(error)),
    );
  });
}

/** Closes a connection with an answer that is too long: undici does not bound 1xx and trailers. A write begins the next answer. */
function closeWhenFlooded(socket: Socket): Socket {
  let written = 0;
  let most = MAX_ANSWER_BYTES;
  return socket.on('readable', () => {
    if (socket.bytesWritten !== written) most = socket.bytesRead + MAX_ANSWER_BYTES;
    written = socket.bytesWritten;
    if (socket.bytesRead <= most) return;
    // The client reads first: an answer that is among these bytes counts.
    queueMicrotask(() => socket.destroy(new AttemptFailure('protocol')));
  });
}

/** The addresses of a name, in the order in which to try them; rejects when there are none. An abort may end it early. */
export type ResolveHost = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Both tries end within the 5 seconds of an attempt. */
const QUERY = { timeout: 1_500, tries: 2 };

/**
 * Queries name servers directly; default: those of the system. The system's resolver blocks one of few threads for each
 * name, so that names whose server never answers would delay every other delivery. The hosts file is not read: its names
 * are of the operator's own network.
 */
export function createPublicResolver(servers?: readonly string[]): ResolveHost {
  return async (name, signal) => {
    const resolver = new Resolver(QUERY);
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', cancel);
    const failure = answers.find((answer) => answer.status === 'rejected');
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  };
}

export async function resolveAnyHost(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
}
