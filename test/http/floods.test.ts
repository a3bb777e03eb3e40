import { describe, expect, onTestFinished, test } from 'vitest';
import { STARTED_PER_ITERATION } from '../../src/http/hooks/connection-limit.ts';
import { startApi } from '../support/api-server.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';

const portOf = (baseUrl: string) => Number(new URL(baseUrl).port);
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
/** So many of a request, after which the connection is closed. */
const last = (text: string, count: number) =>
  text.repeat(count - 1) + text.replace(/\r\n$/, 'Connection: close\r\n\r\n');

describe('requests sent ahead on one connection', () => {
  test('are begun one after the other, up to 100; the next is refused with 503, and the connection is closed', async () => {
    let [begun, running, most] = [0, 0, 0];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { baseUrl } = await startApi({}, (app) => {
      app.get('/slow', async () => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        await gate;
        running -= 1;
        return {};
      });
    });
    const answered = sendRaw(portOf(baseUrl), request('/slow').repeat(150));
    await expect.poll(() => begun).toBe(1);
    open();
    const answers = answersIn(await answered);
    expect(answers.at(-1)?.head).toMatch(/retry-after: 1/i);
    const statuses = answers.map(({ status }) => status);
    expect([begun, most, statuses]).toEqual([100, 1, [...new Array(100).fill(200), 503]]);
  });

  test('are begun a few in a turn of the event loop, round robin over the connections', async () => {
    const names = Array.from({ length: 8 }, (_, index) => String(index));
    const begun: { readonly name: string; readonly turn: number }[] = [];
    let turn = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { baseUrl } = await startApi({}, (app) => {
      app.get('/of/:name', async ({ params }) => {
        begun.push({ name: (params as { name: string }).name, turn });
        if (begun.length === names.length) open();
        await gate;
        return {};
      });
    });
    const count = () => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    onTestFinished(() => clearImmediate(ticking));
    await Promise.all(names.map((name) => sendRaw(portOf(baseUrl), last(request(`/of/${name}`), 40))));

    expect(begun).toHaveLength(320);
    const ahead = begun.slice(names.length);
    const starts = [...Map.groupBy(ahead, (start) => start.turn).values()].map(({ length }) => length);
    // A turn is counted before or after its starts.
    expect(Math.max(...starts)).toBeLessThanOrEqual(2 * STARTED_PER_ITERATION);
    const counts = new Map(names.map((name) => [name, 0]));
    for (const { name } of ahead) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2);
    }
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
