import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConcurrencyQuota } from '../../core/limits/concurrency-quota.ts';
import { clientOf } from './client-address.ts';
import { sendUnavailable } from './errors.ts';

/** Downloads that run at the same time in this process. */
const MOST = { all: 8, perAddress: 2 };
const RETRY_SECONDS = 10;

/** Admits a few downloads at a time, so that files leave the database to everyone else. */
export class DownloadLimit {
  readonly #semaphore = new ConcurrencyQuota();

  /** Returns a function to call when the download is over; null if the request was refused, which is then answered. */
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
