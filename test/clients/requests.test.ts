import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  createTipoff,
  type Schemas,
  TipoffConnectionError,
  TipoffError,
} from '../../clients/typescript/src/index.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { freePort } from '../support/mongod/own-mongod.ts';

afterEach(() => void vi.restoreAllMocks());

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const limited = () => json(429, { detail: 'Slow.' }, { 'retry-after': '17' });
const half = () => new Response('{"a":', { headers: { 'content-type': 'application/json' } });
const unavailable = () => json(503, { detail: 'Down.' });

/** A client whose requests get these answers, the last one again and again; its pauses take no time. */
function clientOf(answers: readonly (() => Response)[], options: object = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  const tipoff = createTipoff({
    url: 'https://host',
    apiKey: 'sk_live_x',
    fetch: async (url, init = {}) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)] as () => Response;
      requests.push({ url: String(url), init });
      return answer();
    },
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  return { tipoff, requests, waits };
}

describe('a request', () => {
  test('sends the values of path, query and body under their documented names, with the key', async () => {
    const { tipoff, requests } = clientOf([() => json(200, { ok: true })]);
    await tipoff.searchAlerts({ category: 'crypto', min_usdc: 10.5, resolved: true });
    await tipoff.replacePreset({ id: 'a/b?c', body: { name: 'n', filters: { side: 'BUY' } } });
    expect(requests).toMatchObject([
      {
        url: 'https://host/api/v1/alerts?category=crypto&min_usdc=10.5&resolved=true',
        init: { method: 'GET', headers: { authorization: 'Bearer sk_live_x' } },
      },
      {
        url: 'https://host/api/v1/presets/a%2Fb%3Fc',
        init: { method: 'PUT', body: '{"name":"n","filters":{"side":"BUY"}}' },
      },
    ]);
  });

  test('that is refused throws the status, the code, the words and the id of the request', async () => {
    const body = { detail: 'Alert 7 was not found.', code: 'alert_not_found' };
    const { tipoff } = clientOf([() => json(404, body, { 'x-request-id': 'r1' })]);
    const error = await tipoff.getAlert({ id: 7 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TipoffError);
    expect(error).toMatchObject({ status: 404, ...body, requestId: 'r1', retryAfter: null });
    expect(String(error)).toBe('TipoffError: 404 alert_not_found: Alert 7 was not found.');
  });

  test.each([
    [
      json(422, { detail: [{ loc: ['query', 'limit'], msg: 'Too large', type: 'x' }] }),
      '422: query.limit: Too large',
    ],
    [new Response('<html>', { status: 502, statusText: 'Bad Gateway' }), '502: Bad Gateway'],
  ])('names the invalid values, and the status of a proxy', async (answer, words) => {
    await expect(clientOf([() => answer]).tipoff.getStats()).rejects.toThrow(words);
  });
});

describe('a request without an answer', async () => {
  const silent = (_url: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));

  test.each([
    ['refused', { url: `http://127.0.0.1:${await freePort()}` }, '/api/v1/stats: fetch failed: connect '],
    ['too late', { url: 'https://host', timeoutMs: 1, fetch: silent }, 'GET https://host/api/v1/stats: '],
    ['unreadable', { url: 'https://host', fetch: async () => half() }, ': '],
  ])('throws an error of its own, with the cause: %s', async (_why, options, words) => {
    const error = await createTipoff({ retries: 0, ...options })
      .getStats()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TipoffConnectionError);
    expect(error).toMatchObject({
      cause: expect.any(Error),
      message: expect.stringContaining(words),
      isRepeatable: true,
    });
  });

  test('that may have changed something says so', async () => {
    const { tipoff } = clientOf([half], { retries: 0 });
    const rotated = tipoff.rotateWebhookSecret({ webhook_id: 'w' });
    await expect(rotated).rejects.toMatchObject({ isRepeatable: false });
    const created = tipoff.createPreset({ body: { name: 'n', filters: {} } });
    await expect(created).rejects.toMatchObject({ isRepeatable: false });
  });

  test('since its signal was aborted throws the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const stats = createTipoff({ url: 'https://host' }).getStats({}, { signal });
    await expect(stats).rejects.toThrow('enough');
    await expect(stats).rejects.not.toBeInstanceOf(TipoffConnectionError);
  });
});

describe('a request is repeated', () => {
  test('after a 429, when Retry-After is over', async () => {
    const { tipoff, waits } = clientOf([limited, () => json(200, { id: 'p', name: 'n' })]);
    expect(await tipoff.createPreset({ body: { name: 'n', filters: {} } })).toEqual({ id: 'p', name: 'n' });
    expect(waits).toEqual([17_000]);
  });

  test.each([
    ['longer than the longest wait', { longestWaitMs: 16_999 }, []],
    ['more often than allowed', { retries: 1 }, [17_000]],
    ['never when retries are off', { retries: 0 }, []],
  ])('but not %s', async (_why, options, expected) => {
    const { tipoff, waits } = clientOf([limited], options);
    await expect(tipoff.getStats()).rejects.toMatchObject({ status: 429, retryAfter: 17 });
    expect(waits).toEqual(expected);
  });

  test('after a 503 and a lost connection, if it changes nothing', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const lost = () => {
      throw new TypeError('fetch failed');
    };
    const { tipoff, waits } = clientOf([unavailable, lost, () => json(200, { total_alerts: 1 })]);
    expect(await tipoff.getStats()).toEqual({ total_alerts: 1 });
    expect(waits).toEqual([1_000, 2_000]);
    await expect(clientOf([unavailable]).tipoff.rotateWebhookSecret({ webhook_id: 'w' })).rejects.toThrow(
      '503',
    );
  });

  test('never after its signal has aborted', async () => {
    const stop = new AbortController();
    const { tipoff, requests } = clientOf([limited], { wait: async () => stop.abort() });
    await expect(tipoff.getStats({}, { signal: stop.signal })).rejects.toThrow('aborted');
    expect(requests).toHaveLength(1);
  });
});

test('on the service: typed answers, texts, nothing, and refusals', async () => {
  const { baseUrl, append, issue, clock } = await startApi();
  await append(alertOf({ id: 1 }));
  await clock.advance(60_000);
  const tipoff = createTipoff({ url: baseUrl, apiKey: (await issue({ tier: 'pro' })).secret });
  const alert = await tipoff.getAlert({ id: 1 });
  expectTypeOf(alert).toEqualTypeOf<Schemas['Alert']>();
  expect(alert.details.wallet_age_days).toBe(1);
  const { id } = await tipoff.createPreset({ body: { name: 'n', filters: { side: 'BUY' } } });
  const nothing: undefined = await tipoff.deletePreset({ id });
  expect(nothing).toBeUndefined();
  const missing = tipoff.getAlert({ id: 9 });
  await expect(missing).rejects.toMatchObject({ status: 404, detail: 'Alert 9 was not found.' });
  await expect(missing).rejects.toMatchObject({ requestId: expect.any(String) });
  // @ts-expect-error: the id is required
  await expect(tipoff.getAlert()).rejects.toThrow('id is missing');
});
