import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { alertOf, exitOf, settlementOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { BROWSER, startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const CHANGED = 'event: changed\ndata: {}\n\n';

async function startLive() {
  const server = await startSite();
  const open = async (query: string) => {
    const request = get(`${server.baseUrl}/live?topics=${encodeURIComponent(query)}`, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    onTestFinished(() => void request.destroy());
    const page = { response, text: '', isEnded: false };
    response.setEncoding('utf8').on('data', (text: string) => {
      page.text += text;
    });
    response.on('end', () => {
      page.isEnded = true;
    });
    response.on('error', () => {});
    return page;
  };
  return { ...server, open };
}

describe('/live', () => {
  test('announces an exit once callers without a key may see it, and its page is made again', async () => {
    const { open, append, page, database, clock, site } = await startLive();
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await append(alertOf({ id: 1 }));
    await clock.advance(FREE_DELAY_MS + 1_000);
    void site.run(stop.signal);
    await clock.asleep();
    const market = await open('market:0xm1');
    const shows = async () => /Sold 60 % at 71¢/.test((await page('/alerts/1')).text);
    await database.exits.append(exitOf({ number: 1, createdAt: clock.now() }));
    // The cached page would be made again after a minute anyhow.
    await clock.advance(FREE_DELAY_MS - 1);
    expect([await shows(), market.text.includes(CHANGED)]).toEqual([false, false]);
    await clock.advance(1_000);
    await clock.asleep();
    await clock.advance(250);
    await until(() => market.text.endsWith(CHANGED));
    expect(await shows()).toBe(true);
  });

  test('is silent when a market without alerts is settled, and no page is made again', async () => {
    const { feed, page, site, database } = await startLive();
    const announced = vi.spyOn(site.deps.live, 'change');
    const read = vi.spyOn(database.alerts, 'search');
    await page('/');
    const reads = read.mock.calls.length;
    feed.announceSettlement(settlementOf({ marketId: '0xother', resolved: 0, won: 0 }));
    await page('/');
    expect([announced.mock.calls, read.mock.calls.length]).toEqual([[], reads]);
  });

  test('refuses a page without topics, with more than three, or with long ones, and a request for the headers', async () => {
    const { baseUrl } = await startLive();
    const queries = [
      '',
      '?topics=',
      '?topics=a+b+c+d',
      `?topics=${'x'.repeat(151)}`,
      `?topics=${'x+'.repeat(300)}`,
    ];
    for (const query of queries)
      expect([query, (await ask(`${baseUrl}/live${query}`)).status]).toEqual([query, 422]);
    const head = await ask(`${baseUrl}/live?topics=alerts`, { method: 'HEAD', headers: BROWSER });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
  });

  test('ends when the service does, which waits for no page; an eleventh page of an address is refused', async () => {
    const { open, app } = await startLive();
    const pages = [await open('alerts')];
    while (pages.length < 10) pages.push(await open('alerts'));
    expect(pages[0]?.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const { response } = await open('alerts');
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '60']);
    await app.close();
    await until(() => pages.every(({ isEnded }) => isEnded));
  });
});
