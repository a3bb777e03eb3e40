import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { IsPublicAddress } from '../../core/webhooks/webhook-url.ts';
import { AttemptFailure, connectFailure, handshakeFailure } from './attempt-failure.ts';
import type { ResolveHost } from './resolve-host.ts';
import { unlessAborted } from './unless-aborted.ts';

interface ConnectDeps {
  readonly resolve: ResolveHost;
  /** Null: any address will do. */
  readonly isPublic: IsPublicAddress | null;
}

/** Opens a TLS connection to the host of an https address; rejects with why not, or with the reason of the signal. */
export type OpenConnection = (url: URL, signal: AbortSignal) => Promise<TLSSocket>;

const HTTPS_PORT = 443;

/**
 * A name is resolved once for a connection, every address of it must be public, and the connection is made to one
 * of just those: a name that leads elsewhere a moment later leads nowhere new.
 */
export function createGuardedConnect({ resolve, isPublic }: ConnectDeps): OpenConnection {
  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    const found = await unlessAborted(
      resolve(host, signal),
      signal,
      (error) => new AttemptFailure('dns', error),
    );
    if (found.length === 0) throw new AttemptFailure('dns');
    return found;
  }

  return async (url, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = await addressesOf(host, signal);
    if (isPublic !== null && !addresses.every(isPublic)) throw new AttemptFailure('not_public');
    const socket = pinned(addresses, Number(url.port || HTTPS_PORT));
    await untilEvent(socket, 'connect', { signal, failure: connectFailure });
    if (isPublic !== null && !isPublic(socket.remoteAddress ?? '')) {
      socket.destroy();
      throw new AttemptFailure(socket.remoteAddress === undefined ? 'reset' : 'not_public');
    }
    return await secured(socket, host, signal);
  };
}

/** Nothing is resolved any more. */
function pinned(addresses: readonly string[], port: number): Socket {
  const [address] = addresses;
  if (addresses.length === 1 && address !== undefined)
    return connectTcp({ host: address, port, noDelay: true });
  const answers = addresses.map((value) => ({ address: value, family: isIP(value) }));
  const lookup: LookupFunction = (_name, _options, give) => give(null, answers);
  return connectTcp({ host: 'checked.invalid', port, lookup, autoSelectFamily: true, noDelay: true });
}

/** The certificate is judged by the host that the address names, whatever it led to. */
async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {};
  const secure = connectTls({
    socket,
    host,
    ...name,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  await untilEvent(secure, 'secureConnect', { signal, failure: handshakeFailure });
  return secure;
}

interface Wait {
  readonly signal: AbortSignal;
  failure(error: unknown): unknown;
}

/** The socket is destroyed unless the event comes first; its errors are heard for good. */
async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { signal, failure }: Wait,
): Promise<void> {
  const happened = new Promise<void>((resolve, reject) => {
    socket.once(event, resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(new AttemptFailure('reset')));
  });
  try {
    await unlessAborted(happened, signal, (error) =>
      error instanceof AttemptFailure ? error : failure(error),
    );
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
