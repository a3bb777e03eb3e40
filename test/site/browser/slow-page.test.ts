import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { START } from '../../support/rows.ts';
import { describeSiteInBrowser } from '../../support/site/describe-site-in-browser.ts';
import { CHARTED, facts, fillWithAlerts } from './filled-with-alerts.ts';

const NOW = START + 6 * MINUTE_MS;
const PIECE = 700;
/** The part of a page that is enough to show something. */
const SEEN_AT = 0.6;
const PAINTED = `performance.getEntriesByName('first-contentful-paint').length > 0`;
/** Counts the times of the last two days that frames show as they are served, after the script of the page has seen to a frame. */
const WATCH = `
  Date.now = () => ${NOW};
  globalThis.unaged = 0;
  (function watch() {
    if (!('showFirst' in globalThis)) return void setTimeout(watch);
    requestAnimationFrame(() => {
      for (const { textContent, dateTime } of document.querySelectorAll('time[data-age]'))
        unaged += Date.now() - Date.parse(dateTime) < 48 * 3_600_000 && !/^now$| ago$/.test(textContent);
      setTimeout(watch);
    });
  })();`;

await describeSiteInBrowser('a page that comes slowly', { now: NOW, fill: fillWithAlerts }, (site) => {
  test.for([390, 1_440])(
    'is seen before it is whole, has ages from its first frame on, and nothing moves, at %i px',
    async (width) => {
      await using slow = await startSlowly(site.origin);
      const tab = await site.browser.open(slow.origin);
      await tab.show({ width, scheme: 'light' });
      await tab.page.evaluateOnNewDocument(WATCH);
      for (const path of ['/', `/alerts/${CHARTED}`, `/markets/${facts(CHARTED).eventSlug}`]) {
        const visit = tab.visit(path);
        for await (const { sent, total } of slow.pieces()) {
          await tab.until(`document.documentElement?.outerHTML.length > ${sent / 2}`, 'raf');
          if (sent > total * SEEN_AT) await tab.until(PAINTED, 'raf');
        }
        await visit;
        const [unaged, ages] = await tab.ask<readonly number[]>(
          `[unaged, document.querySelectorAll('time[data-age]').length]`,
        );
        expect(ages, path).toBeGreaterThan(0);
        expect([unaged, await tab.ask('probe.shift()')], path).toEqual([0, 0]);
      }
      await tab.close();
    },
  );
});

/** The site behind a slow network: a page comes piece by piece, its files at once. */
async function startSlowly(origin: string) {
  let opened = Promise.withResolvers<{ readonly text: string; readonly response: ServerResponse }>();
  const server = createServer((request, response) => void answer(request.url ?? '', response));
  async function answer(path: string, response: ServerResponse): Promise<void> {
    const asked = await fetch(origin + path, { headers: { accept: 'text/html' } });
    const type = asked.headers.get('content-type') ?? '';
    response.writeHead(asked.status, { 'content-type': type });
    const text = await asked.text();
    if (type.startsWith('text/html')) opened.resolve({ text, response });
    else response.end(text);
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends the page that is asked for next. Yields how many characters of it were sent, after each piece but the last. */
    async *pieces() {
      const { text, response } = await opened.promise;
      opened = Promise.withResolvers();
      let sent = 0;
      // Nothing is shown before there are contents.
      for (let upto = text.indexOf('<main'); upto < text.length; upto += PIECE) {
        response.write(text.slice(sent, upto));
        sent = upto;
        yield { sent, total: text.length };
      }
      response.end(text.slice(sent));
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
