import { beforeAll, expect, test } from 'vitest';
import { keyboardProblems, looksOf, textAt } from '../../support/browser/page-problems.ts';
import { VIEWS } from '../../support/browser/tab.ts';
import { describeSiteInBrowser, type SiteOptions } from '../../support/site/describe-site-in-browser.ts';
import { AFTER_MIDTERMS, playMidterms } from '../../support/site/midterms.ts';
import { type SiteWalk, walkSite } from '../../support/site/walk-site.ts';

const FIRST_PAGES = ['/', '/?search=nothing-has-this'];
/** Of the same kind as another page, with other contents. */
const MORE = [
  '/?resolved=true',
  '/docs/webhooks',
  '/search?search=senate',
  '/search?search=nothing-has-this',
];
const WRONG = `<div id="wide" style="width: 2000px">wide</div><p style="color: #bbb">faint</p><a href="/x"></a>
  <a href="javascript:alert(1)" onclick="1">script</a><img src="http://127.0.0.1:1/x.png" alt="">\u202e
  <table><tr><td style="display: block">alone</td></tr></table>`;
const DOCUMENT_BYTES = 50_000;
const PAGE_BYTES = 60_000;
/** Open, with alerts on both outcomes. */
const MARKET = '/markets/arizona-senate-2022-which-party-wins';
/** Of a wallet with many bets, with many sales, and of a cluster. */
const TALL_ALERTS = ['/alerts/121', '/alerts/100', '/alerts/184', '/alerts/7'];
const BOTS = {
  telegram: { state: 'running', url: 'https://t.me/tip_bot' },
  discord: { state: 'running', url: 'https://discord.com/users/1' },
};
const MISSING = '/alerts/999999';

const SITE: SiteOptions = {
  now: AFTER_MIDTERMS,
  async fill(filled) {
    await playMidterms(filled);
    await filled.worker.put({
      owner: 'host/1',
      at: AFTER_MIDTERMS,
      address: 'http://localhost',
      checks: { bots: BOTS },
    });
  },
};

await describeSiteInBrowser('the pages of the site', SITE, (site) => {
  let walk: SiteWalk;
  beforeAll(async () => {
    walk = await walkSite(site.origin, FIRST_PAGES);
  }, 240_000);

  const pages = () => [...walk.pages, ...MORE];

  test('the examination finds what is wrong: here everything is', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'light' });
    await tab.page.setContent(WRONG);
    const [width, ...problems] = await tab.examine(true);
    expect(width).toBe('2008 of 390 px');
    expect(problems.join('\n')).toMatch(
      /^<div id="wide".*^<a href="\/x">.*^<td .*^color-contrast: .*^document-title: .*^html-has-lang: .*^link-name: /ms,
    );
    expect(await tab.ask('probe.foreign()')).toHaveLength(7);
    expect(tab.takeProblems()).toEqual([
      'elsewhere: http://127.0.0.1:1/x.png',
      expect.stringMatching(/^net::ERR/),
      expect.stringMatching(/^console: Failed to load/),
    ]);
    await tab.visit('/');
    await tab.page.evaluate('document.body.innerHTML += "<p style=\'color: red\'>red</p>"');
    expect(tab.takeProblems().join()).toMatch(/^console: .*Content Security Policy/);
    await tab.close();
  });

  test('no link of a page leads nowhere', () => {
    expect(walk.dead).toEqual([]);
    expect(walk.pages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/alerts\/\d+$/),
        expect.stringMatching(/^\/markets\/[^/]+$/),
        expect.stringMatching(/^\/wallets\/0x/),
      ]),
    );
  });

  test('at 390 and 1440 px, dark and light: no error, no request elsewhere, no sideways scroll, nothing that axe finds', async () => {
    const tab = await site.open();
    const found: Record<string, readonly string[]> = {};
    for (const path of [...pages(), MISSING]) {
      await tab.visit(path);
      found[path] = [
        ...(await looksOf(tab)),
        ...tab.takeProblems().filter((problem) => !isExpected(problem, path)),
      ];
    }
    await tab.close();
    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
  }, 240_000);

  test('a document has under 50 kB, a page with all it loads under 60 kB, and nothing moves meanwhile', async () => {
    const tab = await site.open();
    const receivedBytes = await tab.countBytes();
    for (const path of pages()) {
      for (const view of VIEWS.filter(({ scheme }) => scheme === 'light')) {
        await tab.show(view);
        const before = receivedBytes();
        const document = await (await tab.visit(path)).buffer();
        expect(document.length, path).toBeLessThan(DOCUMENT_BYTES);
        expect(receivedBytes() - before, path).toBeLessThan(PAGE_BYTES);
        expect(await tab.ask('probe.shift()'), `${path} at ${view.width} px`).toBe(0);
      }
    }
    await tab.close();
  }, 120_000);

  test('a page that is loaded again is where it was read', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'light' });
    for (const path of ['/record', '/alerts/100', MARKET, '/docs']) {
      await tab.visit(path);
      await tab.ask('probe.scrollThrough()');
      const read = await tab.ask('scrollY');
      await tab.page.reload();
      await expect.poll(() => tab.ask('scrollY'), { message: path }).toBe(read);
    }
    await tab.close();
  });

  test('at 320 px every column of the record is read without scrolling, and a phone has it in 1,500 px', async () => {
    const tab = await site.open();
    await tab.show({ width: 320, scheme: 'light' });
    await tab.visit('/record');
    const cut = `[...document.querySelectorAll('.scroll')].filter((frame) => frame.scrollWidth > frame.clientWidth)`;
    expect(await tab.ask(`[${cut}.length, document.querySelectorAll('.scroll').length]`)).toEqual([0, 1]);
    await tab.show({ width: 390, scheme: 'light' });
    await tab.visit('/record');
    expect(await tab.ask('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1_500);
    await tab.close();
  });

  test('on paper there is the content alone, unfolded, and dark on white', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'dark' });
    for (const path of ['/', '/alerts/100', '/docs/alerts']) {
      await tab.visit(path);
      await tab.page.emulateMediaType('print');
      const pressed = `[...document.querySelectorAll('header.site, footer.site, nav, form, button')]`;
      const folded = `[...document.querySelectorAll('details:not(.sheet, nav details) > :not(summary, button)')]`;
      const seen = (elements: string) =>
        tab.ask<readonly boolean[]>(
          `${elements}.map((element) => element.checkVisibility({ visibilityProperty: true }))`,
        );
      expect(new Set(await seen(pressed)), path).toEqual(new Set([false]));
      expect(new Set(await seen(folded)), path).not.toContain(false);
      expect(await tab.ask(`getComputedStyle(document.documentElement).backgroundColor`)).toBe(
        'rgb(255, 255, 255)',
      );
    }
    await tab.close();
  });

  test('what Follow unfolds has nothing that axe finds, and closes what else was open', async () => {
    const tab = await site.open();
    for (const path of ['/?category=politics&search=senate', MARKET]) {
      await tab.visit(path);
      for (const name of ['.filters', '.follow']) await (await tab.page.$(`${name} summary`))?.click();
      expect(await tab.ask(`document.querySelector('details[open]').className`)).toBe('sheet follow');
      expect(await tab.ask(`document.querySelectorAll('[open] .group').length`)).toBe(3);
      expect(await looksOf(tab), path).toEqual([]);
    }
    await tab.close();
  });

  test('a sheet stays open while it is used, and closes by Escape, which leads back to its button, and by a tap beside it', async () => {
    const tab = await site.open();
    const isOpen = () => tab.ask<boolean>(`document.querySelector('.follow').open`);
    await tab.show({ width: 390, scheme: 'light' });
    for (const path of ['/', MARKET]) {
      await tab.visit(path);
      await tab.page.click('.follow summary');
      await tab.page.click('.follow .panel p');
      expect(await isOpen(), path).toBe(true);
      await tab.page.keyboard.press('Escape');
      expect(await isOpen(), path).toBe(false);
      expect(await tab.ask(`document.activeElement.matches('.follow summary')`), path).toBe(true);
      await tab.page.keyboard.press('Enter');
      expect(await isOpen(), path).toBe(true);
      await tab.page.mouse.click(2, 400);
      expect(await isOpen(), path).toBe(false);
    }
    await tab.close();
  });

  test('with the keyboard alone: the first key leads past the header, and what has the focus is seen', async () => {
    const tab = await site.open();
    await tab.show({ width: 1_440, scheme: 'light' });
    const found: Record<string, readonly string[]> = {};
    for (const path of pages()) {
      await tab.visit(path);
      found[path] = await keyboardProblems(tab);
    }
    await tab.close();
    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
  }, 120_000);

  test('a chart says the price at the pointer and the words of a mark that has the focus, and nothing moves', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'light' });
    await tab.visit(MARKET);
    const readout = `document.querySelector('.readout').textContent`;
    const last = await tab.ask<string>(readout);
    await tab.page.hover('price-chart .picture');
    expect(await tab.ask(readout)).toMatch(/^[\d.]+¢, 2022-\d\d-\d\d \d\d:\d\d UTC$|^Alert |^\d+ alerts: /);
    await tab.page.hover('h1');
    expect(await tab.ask(readout)).toBe(last);
    await tab.ask(`document.querySelector('price-chart .mark').focus()`);
    expect(await tab.ask(readout)).toMatch(/^Alert |^\d+ alerts: /);
    expect(await tab.ask('probe.shift()')).toBe(0);
    await tab.close();
  });

  test('on a phone an alert is at most 2,200 px high, and a market 2,000', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'light' });
    const markets = walk.pages.filter((path) => path.startsWith('/markets/'));
    const heights: Record<string, number> = {};
    for (const path of [...TALL_ALERTS, MARKET, ...markets]) {
      await tab.visit(path);
      heights[path] = await tab.ask<number>('document.documentElement.scrollHeight');
    }
    await tab.close();
    const isTall = ([path, height]: readonly [string, number]) =>
      height > (path.startsWith('/alerts/') ? 2_200 : 2_000);
    expect(Object.entries(heights).filter(isTall)).toEqual([]);
  });

  test('without scripts the same texts are there', async () => {
    const [plain, live] = [await site.open({ hasScripts: false }), await site.open()];
    for (const path of pages()) {
      const [without, withThem] = await Promise.all([plain, live].map((tab) => textAt(tab, path)));
      expect(without, path).toBe(withThem);
      expect(without?.length, path).toBeGreaterThan(40);
    }
    await plain.close();
    await live.close();
  }, 120_000);
});

/** The browser notes the status of a page that is not there. */
function isExpected(problem: string, path: string): boolean {
  return path === MISSING && /^(?:404: |console: .* 404 )/.test(problem);
}
