import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startApi } from '../support/api-server.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';

const portOf = (baseUrl: string) => Number(new URL(baseUrl).port);
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('requests sent ahead on one connection', () => {
  test('are begun up to 100, then refused with 503, and the connection is closed', async () => {
    let begun = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { baseUrl } = await startApi({}, (app) => {
      app.get('/slow', async () => {
        begun += 1;
        await gate;
        return {};
      });
    });
    const answered = sendRaw(portOf(baseUrl), request('/slow').repeat(150));
    await expect.poll(() => begun).toBe(100);
    open();
    const answers = answersIn(await answered);
    expect(answers.at(-1)?.head).toMatch(/retry-after: 1/i);
    const statuses = answers.map(({ status }) => status);
    expect([begun, statuses]).toEqual([100, [...new Array(100).fill(200), 503]]);
  });

  test('a connection that waits for its answers may send as many as it likes, found or not', async () => {
    const { baseUrl } = await startApi();
    const port = portOf(baseUrl);
    const answers = await inTurn(port, [
      ...new Array<string>(120).fill(request('/healthz')),
      ...new Array<string>(120).fill(request('/nothing')),
      request('/healthz', 'Connection: close\r\n'),
    ]);
    expect(answers).toEqual([...new Array(120).fill(200), ...new Array(120).fill(404), 200]);
  });

  test('a client that hangs up is no internal fault', async () => {
    const faults: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (_: object, text: string) => void faults.push(text),
    };
    const { baseUrl, get } = await startApi({ logger });
    for (let round = 0; round < 5; round += 1)
      await sendAndReset(portOf(baseUrl), request('/api/v1/hot-markets').repeat(300));
    expect((await get('/hot-markets')).status).toBeLessThan(500);
    expect(faults).toEqual([]);
  });
});

describe('what takes long to read', () => {
  // Either would take the better part of a minute if one character could be taken by two parts of a pattern.
  test('an Authorization of many spaces is refused as quickly as any other', async () => {
    const { get } = await startApi();
    const authorization = `Bearer${' '.repeat(15_900)}\u00a0`;
    for (let count = 0; count < 150; count += 1) {
      expect([401, 429]).toContain((await get('/me', undefined, { authorization })).status);
    }
  });

  test('a number of many digits is judged as quickly as any other', async () => {
    const { get, issue } = await startApi();
    const { secret } = await issue({ tier: 'enterprise' });
    for (let count = 0; count < 60; count += 1) {
      expect((await get(`/alerts?min_usdc=${'1'.repeat(15_500)}x`, secret)).status).toBe(422);
    }
  });
});

/** Sends each request when the answer to the one before has come; gives the statuses. */
function inTurn(port: number, requests: readonly string[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const statuses: number[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(requests[0] ?? ''));
    socket.on('data', (chunk) => {
      for (const { status } of answersIn(chunk.toString())) statuses.push(status);
      const next = requests[statuses.length];
      if (next !== undefined) socket.write(next);
    });
    socket.on('close', () => resolve(statuses));
    socket.on('error', reject);
  });
}

function sendAndReset(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => socket.resetAndDestroy());
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}
