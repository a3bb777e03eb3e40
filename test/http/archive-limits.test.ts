import { connect, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ReadTurns } from '../../src/core/alerts/alert-index/read-turns.ts';
import { alertOf } from '../support/alerts.ts';
import { type Answer, startApi } from '../support/api-server.ts';
import { createFakeClock } from '../support/clock.ts';
import { toolCall } from '../support/mcp-client.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Searches wait until the test releases them; `started` has the `min_usdc` of each. */
async function startHeld() {
  const started: (number | undefined)[] = [];
  const gates: (() => void)[] = [];
  const log = createRecordingLogger();
  const api = await startApi(({ database }) => ({
    turns: new ReadTurns(createFakeClock(0)),
    logger: log,
    alerts: {
      ...database.alerts,
      async search(filter, page) {
        started.push(filter.minUsdc);
        await new Promise<void>((resolve) => void gates.push(resolve));
        return database.alerts.search(filter, page);
      },
    },
  }));
  await api.append(alertOf({ id: 1, usdc: 9_000 }));
  const { secret } = await api.issue({ tier: 'enterprise' });
  const releaseAll = async (answers: readonly Promise<Answer>[]) => {
    const releasing = setInterval(() => gates.shift()?.(), 1);
    return Promise.all(answers).finally(() => clearInterval(releasing));
  };
  const searches = (count: number, first = 1) =>
    numbers(count).map((n) => api.get(`/alerts?min_usdc=${first + n - 1}`, secret));
  // A server that closes waits for what is left of a failed test.
  onTestFinished(() => api.app.server.closeAllConnections());
  return { ...api, secret, started, log, releaseAll, searches };
}

test('the 11th archive read of a key is a 429 that says what to do; two run, and the others are answered', async () => {
  const { searches, started, releaseAll } = await startHeld();
  const answers = searches(11);

  const refused = await Promise.race(answers);

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.body).toEqual({
    detail:
      'Too many simultaneous archive requests from this key: at most 10, 2 running and the others waiting. ' +
      'Wait for an answer before sending the next request.',
    code: 'archive_busy',
  });
  await expect.poll(() => started.length).toBe(2);
  const statuses = (await releaseAll(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
});

test.each(['REST', 'a tool'])(
  'a caller of %s that hangs up frees what waited, and what ran when the read has ended',
  async (way) => {
    const { app, baseUrl, secret, searches, started, log, releaseAll } = await startHeld();
    const port = Number(new URL(baseUrl).port);
    const requestOf = (n: number) =>
      way === 'REST' ? `GET /api/v1/alerts?min_usdc=${n} HTTP/1.1\r\n` : toolRequest(n);
    const sockets = numbers(10).map((n) => askUnread(port, secret, requestOf(n)));
    await expect.poll(() => started.length).toBe(2);
    const ran = [...started];
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => connectionsOf(app.server)).toBe(0);

    // The reads that run count until they have ended.
    const answers = searches(9, 101);
    expect((await Promise.race(answers)).status).toBe(429);
    const statuses = (await releaseAll(answers)).map(({ status }) => status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(started.filter((usdc) => Number(usdc) <= 10)).toEqual(ran);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

/** A request up to its body, of a call that reads the same. */
function toolRequest(minUsdc: number): string {
  return `POST /mcp HTTP/1.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(
    toolCall('list_alerts', { min_usdc: minUsdc }),
  )}`;
}

function askUnread(port: number, secret: string, text: string): Socket {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const request = `${head.trimEnd()}\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  return socket.on('error', () => {});
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
