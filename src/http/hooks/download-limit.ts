import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConcurrencyQuota } from '../../core/limits/concurrency-quota.ts';
import { clientOf } from './client-address.ts';
import { sendUnavailable } from './errors.ts';

/** Simultaneous downloads in this process. */
const MOST = { all: 8, perAddress: 2 };
const RETRY_SECONDS = 10;

/** Limits simultaneous downloads, so that they do not block the database for other requests. */
export class DownloadLimit {
  readonly #semaphore = new ConcurrencyQuota();

  /** Returns a function to call when the download ends; null if the request was refused and answered. */
  acquire(request: FastifyRequest, reply: FastifyReply): (() => void) | null {
    const address = `address ${clientOf(request.ip)}`;
    const leave = this.#semaphore.take(address, MOST.perAddress);
    if (leave === null) {
      const detail = `Too many simultaneous downloads from this address: at most ${MOST.perAddress}. Wait for one to end.`;
      void reply.code(429).header('retry-after', RETRY_SECONDS).send({ detail });
      return null;
    }
    const leaveAll = this.#semaphore.take('all', MOST.all);
    if (leaveAll === null) {
      leave();
      void sendUnavailable(reply, RETRY_SECONDS);
      return null;
    }
    return () => {
      leave();
      leaveAll();
    };
  }
}
