import { describe, expect, test } from 'vitest';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { callMcp, connectMcp, postMcp } from '../support/mcp-client.ts';
import { stopDate } from '../support/moving-date.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';

const WALLET = `0x${'5ec2e7'.padEnd(40, '0')}`;
const YOUNG = /Secret question|secret-slug|0xsecretmarket|0x5ec2e7|0\.4242/i;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Every tool as it would show the young alert 2, its wallet and its market, or the young exit of alert 1. */
const CALLS: readonly [name: string, args: Record<string, unknown>][] = [
  ['list_alerts', {}],
  ['list_alerts', { wallet: WALLET }],
  ['get_alert', { id: 1 }],
  ['get_alert', { id: 2 }],
  ['get_wallet', { address: WALLET }],
  ['get_market', { market: '0xsecretmarket' }],
  ['get_market', { market: 'secret-slug' }],
  ['search_markets', { search: 'secret' }],
  ['get_record', {}],
  ['preview_filter', {}],
  ['get_coverage', {}],
];

async function startWithYoung() {
  const api = await startApi({ publicRequestsPerMinute: null });
  const createdAt = api.clock.now();
  const young = { createdAt, tradedAt: createdAt, detectedAt: createdAt, publishedAt: createdAt };
  const market = { marketId: '0xsecretmarket', eventTitle: 'Secret question?', eventSlug: 'secret-slug' };
  await api.append(
    alertOf({ id: 1, createdAt: createdAt - FREE_DELAY_MS }),
    alertOf({ id: 2, ...young, ...market, wallet: WALLET }),
  );
  await storeExits(api.database, exitOf({ number: 1, createdAt, salePrice: 0.4242 }));
  const showing = async (secret?: string) => {
    const client = await connectMcp(api.baseUrl, { secret });
    const shown: string[] = [];
    for (const [name, args] of CALLS) {
      const { isError, told } = await callMcp(client, name, args);
      // A refusal repeats what was asked for.
      if (!isError && YOUNG.test(JSON.stringify(told))) shown.push(`${name} ${JSON.stringify(args)}`);
    }
    return shown;
  };
  return { ...api, showing };
}

describe('who calls a tool', () => {
  test('no tool shows a young alert, or the young exit of an old one, without a key or with a free one; in real time the same calls do', async () => {
    const { showing, issue } = await startWithYoung();
    expect(await showing()).toEqual([]);
    expect(await showing((await issue({ tier: 'free' })).secret)).toEqual([]);
    const realtime = await showing((await issue({ tier: 'pro' })).secret);
    expect(realtime).toEqual(
      CALLS.filter(([name]) => !/record|coverage/.test(name)).map(
        ([name, args]) => `${name} ${JSON.stringify(args)}`,
      ),
    );
  });

  test('a key has one limit for tools and REST: above it a tool is refused with the words of REST', async () => {
    stopDate(START);
    const { baseUrl, get, issue } = await startApi();
    const { secret } = await issue({ tier: 'free' });
    const client = await connectMcp(baseUrl, { secret });
    await callMcp(client, 'list_alerts');
    // The handshake and the call were one request each.
    expect((await get('/me', secret)).headers.get('ratelimit-remaining')).toBe('57');
    for (let call = 0; call < 57; call += 1) await get('/me', secret);
    await expect(callMcp(client, 'list_alerts')).rejects.toThrow(
      'Rate limit exceeded. free tier: 60 req/min.',
    );
  });

  test('a header without a valid key is a 401, not the public tier', async () => {
    const { baseUrl, issue, service } = await startApi();
    const [live, revoked] = [await issue(), await issue()];
    await service.revoke(revoked.id);
    const wrong = [
      '',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      live.secret,
      `Bearer ${forgedKey()}`,
      `Bearer ${revoked.secret}`,
    ];
    for (const authorization of wrong) {
      const { status, headers, body } = await postMcp(baseUrl, PING, { authorization });
      expect([authorization, status, headers.get('www-authenticate')]).toEqual([
        authorization,
        401,
        'Bearer',
      ]);
      expect(body.code).toMatch(/^key_(missing|invalid)$/);
    }
    await expect(connectMcp(baseUrl, { secret: forgedKey() })).rejects.toThrow('401');
  });

  test('a page of another site is refused, by Origin or by Host; programs, own pages and proxies are not', async () => {
    const { baseUrl } = await startApi({ ownHosts: ['api.example.com'], publicRequestsPerMinute: null });
    const { port } = new URL(baseUrl);
    const statusOf = async (headers: Record<string, string>) =>
      (await postMcp(baseUrl, PING, headers)).status;
    for (const origin of [
      'https://evil.example',
      'null',
      `http://rebound.example:${port}`,
      'https://api.example.com.evil.example',
    ])
      expect([origin, await statusOf({ origin })]).toEqual([origin, 403]);
    for (const origin of ['https://api.example.com', 'http://localhost:6274', baseUrl])
      expect([origin, await statusOf({ origin })]).toEqual([origin, 200]);
    const withHost = (headers: Record<string, string>) => rawPost(baseUrl, headers);
    expect(await withHost({ host: `rebound.example:${port}` })).toBe(403);
    expect(await withHost({ host: 'api.example.com' })).toBe(200);
    expect(await withHost({ host: 'other.example', 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  });
});

/** `fetch` sends the host of the address whatever it is told. */
async function rawPost(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const accept = 'application/json, text/event-stream';
  request(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
  })
    .on('response', (response) => resolve(response.resume().statusCode ?? 0))
    .on('error', reject)
    .end(JSON.stringify(PING));
  return promise;
}
