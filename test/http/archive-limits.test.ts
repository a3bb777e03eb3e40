import { connect, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import { ArchiveScheduler } from '../../src/core/alerts/archive/archive-scheduler.ts';
import { Figures } from '../../src/core/alerts/archive/figures.ts';
import { alertOf } from '../support/alerts.ts';
import { type Answer, startApi } from '../support/api-server.ts';
import { createFakeClock } from '../support/clock.ts';
import { DATABASES } from '../support/databases.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

/** Archive reads that wait until the test releases them. */
class HeldReads {
  readonly started: string[] = [];
  readonly #gates: (() => void)[] = [];
  #isEnded = false;

  around(alerts: AlertStore): AlertStore {
    return {
      ...alerts,
      search: async (filter, page) => {
        await this.#hold(`search ${filter.minUsdc}`);
        return alerts.search(filter, page);
      },
      preview: async (filter, options) => {
        await this.#hold(`preview ${filter.minUsdc}`);
        return alerts.preview(filter, options);
      },
    };
  }

  /** Releases the read that started first. */
  releaseFirst(): void {
    this.#gates.shift()?.();
  }

  /** Releases every read, also later ones. */
  end(): void {
    this.#isEnded = true;
    while (this.#gates.length > 0) this.releaseFirst();
  }

  #hold(name: string): Promise<void> {
    this.started.push(name);
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => void this.#gates.push(resolve));
  }
}

describe.each(DATABASES)('archive reads on $name', ({ available, open }) => {
  describe.skipIf(!available)('of callers at the same time', () => {
    async function startHeld() {
      const { database, drop } = await open();
      onTestFinished(drop);
      await database.alerts.append(alertOf({ id: 1, usdc: 9_000 }));
      const reads = new HeldReads();
      const alerts = reads.around(database.alerts);
      const archive = new ArchiveScheduler(database, createFakeClock(0));
      const log = createRecordingLogger();
      const clock = { now: () => Date.now() };
      const figures = new Figures({ alerts, clock, archive });
      const change = { alerts, archive, figures, logger: log, trustProxy: true };
      const api = await startApi({ ...change, publicRequestsPerMinute: null });
      // A server that closes waits for what is left of a failed test.
      onTestFinished(() => {
        reads.end();
        api.app.server.closeAllConnections();
      });
      const releaseAll = async (answers: readonly Promise<Answer>[]) => {
        const releasing = setInterval(() => reads.releaseFirst(), 1);
        return Promise.all(answers).finally(() => clearInterval(releasing));
      };
      const most = Math.min(2, database.archiveConcurrency);
      return { ...api, reads, log, releaseAll, most, concurrency: database.archiveConcurrency };
    }
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

    test('the 11th of a key is a 429 that says what to do; two run, and the others are answered', async () => {
      const { get, issue, reads, releaseAll, most } = await startHeld();
      const { secret } = await issue({ tier: 'enterprise' });
      const paths = numbers(11).map((n) => `/alerts${n % 2 ? '' : '/preview'}?min_usdc=${n}`);
      const answers = paths.map((path) => get(path, secret));

      const refused = await Promise.race(answers);

      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(refused.body).toEqual({
        detail:
          'Too many simultaneous archive requests from this key: at most 10, of which 2 run and the others wait. ' +
          'Wait for an answer before sending the next request.',
        code: 'archive_busy',
      });
      await expect.poll(() => reads.started.length).toBe(most);
      const statuses = (await releaseAll(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    });

    test('a caller that hangs up frees what waited, and what ran when the read has ended', async () => {
      const { app, baseUrl, get, issue, reads, log, releaseAll, most } = await startHeld();
      const { secret } = await issue({ tier: 'enterprise' });
      const port = Number(new URL(baseUrl).port);
      const sockets = numbers(10).map((n) => sendAhead(port, secret, [`/api/v1/alerts?min_usdc=${n}`]));
      await expect.poll(() => reads.started.length).toBe(most);
      const ran = [...reads.started];
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => connectionsOf(app.server)).toBe(0);

      // The reads that run count until they have ended.
      const answers = numbers(11 - most).map((n) => get(`/alerts?min_usdc=${100 + n}`, secret));
      expect((await Promise.race(answers)).status).toBe(429);
      const statuses = (await releaseAll(answers)).map(({ status }) => status);

      expect(statuses.filter((status) => status === 200)).toHaveLength(10 - most);
      expect(reads.started.filter((name) => numbers(10).some((n) => name === `search ${n}`))).toEqual(ran);
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
});

/** Sends requests one behind the other on one connection, and reads no answer. */
function sendAhead(port: number, secret: string, paths: readonly string[]): Socket {
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
  );
  const socket = connect(port, '127.0.0.1', () => socket.write(requests.join('')));
  socket.on('error', () => {});
  return socket;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
