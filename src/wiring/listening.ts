import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';
import type { ConnectionLimits, OperatorDeps } from '../http/server-deps.ts';
import { isOutage } from '../infra/database/outage.ts';
import { connectionsWithin, createFilesLeft, openFilesLimit } from '../infra/process/open-files.ts';
import type { AppContext } from './app-context.ts';
import { inUrl, ownHosts } from './public-url.ts';
import type { Readiness } from './readiness.ts';

/** Time for requests in progress at shutdown; the rest is cut off. A test of a webhook takes up to 5 s. */
const DRAIN_MS = 6_000;

export function operatorDeps(context: AppContext, readiness: () => Promise<Readiness>): OperatorDeps {
  const { config, clock, logger, metrics } = context;
  const { metricsToken, trustProxy } = config.server;
  return {
    clock,
    logger,
    metrics,
    onAnswer: metrics.onAnswer,
    metricsToken,
    ownHosts: ownHosts(config.server),
    trustProxy,
    isOutage,
    readiness,
  };
}

/** Listens, and returns the address to call. Throws a `UserError` for a port or an address that cannot be listened on. */
export async function listen(server: FastifyInstance, settings: Config['server']): Promise<string> {
  const { port, host } = settings;
  await server.listen({ port, host }).catch((error) => explain(error, settings));
  return addressOf(server, host);
}

/** Closes the server when the requests in progress are answered, at the latest after some seconds. */
export async function drain(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
  await server.close();
  clearTimeout(timer);
}

/** Of one address that is not of this machine. */
const CONNECTIONS_PER_ADDRESS = 500;

export function wireConnectionLimits({ config: { server }, metrics, logger }: AppContext): ConnectionLimits {
  const { maxConnections: total, trustProxy } = server;
  const limit = openFilesLimit();
  const room = limit === null ? total : connectionsWithin(limit);
  if (room < total)
    logger.warn(
      { openFiles: limit, connections: room },
      'the limit of open files (ulimit -n) allows fewer connections than MAX_CONNECTIONS: raise it',
    );
  return {
    total,
    // All connections come from a proxy where there is one.
    perAddress: trustProxy === false ? CONNECTIONS_PER_ADDRESS : null,
    // Counting open files costs time, so it is left out where there is room for all.
    filesLeft: createFilesLeft(room < 2 * total ? limit : null),
    onRefused: metrics.connectionRefused,
  };
}

function explain(error: NodeJS.ErrnoException, { port, host }: Config['server']): never {
  if (error.code === 'EADDRINUSE')
    throw new UserError(`PORT: ${port} is taken; choose another, or 0 for a free one`);
  if (error.code === 'EACCES')
    throw new UserError(`PORT: this user may not listen on ${port}; choose one above 1023`);
  if (error.syscall === 'getaddrinfo' || error.code === 'EADDRNOTAVAIL') {
    throw new UserError(
      `HOST: "${host}" is not an address of this machine; expected one like 127.0.0.1 or 0.0.0.0`,
    );
  }
  throw error;
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${inUrl(shown)}:${port}`;
}
