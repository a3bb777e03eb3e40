import { beforeAll, expect, test } from 'vitest';
import { ASSETS } from '../../../src/site/assets.ts';
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
/** Of the first page with its styles and scripts, before compression. */
const FIRST_PAGE_BYTES = 60_000;
/** A window, the alerts that are whole in it, and the height of a row. */
const FIRST_SCREENS = [
  [390, 844, 3, 150],
  [760, 900, 8, 80],
  [1_440, 900, 8, 80],
] as const;
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

  test('at 320 px every column of the record is read without scrolling, with the name of each figure', async () => {
    const tab = await site.open();
    await tab.show({ width: 320, scheme: 'light' });
    await tab.visit('/record');
    const cut = `[...document.querySelectorAll('.scroll')].filter((frame) => frame.scrollWidth > frame.clientWidth)`;
    const nameless = `[...document.querySelectorAll('td:not(:empty)')].filter((cell) => !/^"\\S/.test(getComputedStyle(cell, '::before').content))`;
    expect(await tab.ask(`[${cut}.length, ${nameless}.length]`)).toEqual([0, 0]);
    expect(await tab.ask(`document.querySelectorAll('.stacked').length`)).toBe(1);
    await tab.close();
  });

  test('what Follow unfolds has nothing that axe finds, and closes what else was open', async () => {
    const tab = await site.open();
    for (const path of ['/?category=politics&search=senate', MARKET]) {
      await tab.visit(path);
      for (const name of ['.filters', '.follow']) await (await tab.page.$(`${name} summary`))?.click();
      expect(await tab.ask(`document.querySelector('details[open]').className`)).toBe('sheet follow');
      expect(await tab.ask(`document.querySelectorAll('[open] .group').length`)).toBe(4);
      expect(await looksOf(tab), path).toEqual([]);
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

  test('the arrow keys lead through every point of a chart, and Tab through its marks, with links to the alerts there, and nothing moves', async () => {
    const tab = await site.open();
    await tab.show({ width: 390, scheme: 'light' });
    await tab.visit(MARKET);
    const chart = 'document.querySelector("price-chart")';
    const orders = await tab.ask<number>(
      `${chart}.querySelector('.line').getAttribute('d').match(/[Mv]/g).length`,
    );
    const alerts = await tab.ask<readonly string[]>(
      `[...${chart}.querySelectorAll('.narrow .mark')].flatMap(({ dataset, href }) => dataset.ids?.split(' ') ?? [href.baseVal.split('/').at(-1)])`,
    );
    await tab.page.focus('price-chart input');
    await tab.page.keyboard.press('Home');
    const reached: string[] = [];
    const points = await tab.ask<number>(`${chart}.querySelector('input').max`);
    for (let point = 0; point <= points; point++) {
      reached.push(await tab.ask(`${chart}.querySelector('.readout').textContent`));
      await tab.page.keyboard.press('ArrowRight');
    }
    expect(reached.filter((text) => /^[\d.]+¢, 2022-\d\d-\d\d \d\d:\d\d UTC$/.test(text))).toHaveLength(
      orders,
    );
    expect(alerts.length).toBeGreaterThan(5);
    expect(reached.flatMap((text) => / · ([\d ]+)$/.exec(text)?.[1]?.split(' ') ?? [])).toEqual(alerts);
    await tab.page.keyboard.press('Tab');
    expect(await tab.ask(`document.activeElement.href.baseVal`)).toBe(`/alerts/${alerts[0]}`);
    expect(await tab.ask(`${chart}.querySelector('.readout').textContent`)).toMatch(/^Alert .* · \d+$/);
    expect(await tab.ask('probe.shift()')).toBe(0);
    await tab.close();
  });

  test('buttons copy the address of a wallet and the command that follows it; without scripts there are none', async () => {
    const wallet = walk.pages.find((path) => path.startsWith('/wallets/0x')) ?? '';
    const address = wallet.split('/').at(-1);
    const tab = await site.open();
    const rights = ['clipboard-read', 'clipboard-sanitized-write'] as const;
    await tab.page.browserContext().overridePermissions(site.origin, [...rights]);
    await tab.visit(wallet);
    const copied = async (button: string) => {
      await tab.page.click(button);
      await tab.until(`document.querySelector('${button}').textContent.startsWith('Copied')`, 'raf');
      return tab.ask<string>('navigator.clipboard.readText()');
    };
    expect(await copied('.line .copy')).toBe(address);
    await tab.page.click('.follow summary');
    expect(await copied('.follow .copy')).toBe(`/follow what:${address}`);
    await tab.close();
    const plain = await site.open({ hasScripts: false });
    await plain.visit(wallet);
    await plain.page.click('.follow summary');
    const shown = `[...document.querySelectorAll('.copy')].map((button) => button.checkVisibility({ visibilityProperty: true }))`;
    expect(await plain.ask(shown)).toEqual([false, false]);
    await plain.close();
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

  test('the first screen is the list: three alerts whole on a phone, eight on a desktop, in rows of at most 150 and 80 px with no text over another or cut beside free space', async () => {
    const tab = await site.open();
    for (const [width, height, least, rowHeight] of FIRST_SCREENS) {
      await tab.page.setViewport({ width, height });
      await tab.visit('/');
      const rows = await tab.ask<readonly { bottom: number; height: number }[]>(
        `[...document.querySelectorAll('.alerts article')].map((row) => row.getBoundingClientRect().toJSON())`,
      );
      expect(rows.filter(({ bottom }) => bottom <= height).length).toBeGreaterThanOrEqual(least);
      expect(Math.max(...rows.map((row) => row.height))).toBeLessThanOrEqual(rowHeight);
      expect(await tab.ask('probe.rows()'), `${width} px`).toEqual([]);
      for (const path of ['/?category=politics#list', '/?sort=win#list']) {
        await tab.page.goto(`${site.origin}${path}`);
        const chosen = await tab.ask<number>(
          `document.querySelector('#list [aria-current]').getBoundingClientRect().bottom`,
        );
        expect(chosen, `${path} at ${width} px`).toBeLessThan(height / 3);
      }
    }
    const document = await (await tab.visit('/')).buffer();
    const files = ['site.css', 'site.js'] as const;
    const bytes = files.reduce((sum, name) => sum + ASSETS[name].text.length, document.length);
    expect(bytes).toBeLessThan(FIRST_PAGE_BYTES);
    await tab.close();
  });
});

/** The browser notes the status of a page that is not there. */
function isExpected(problem: string, path: string): boolean {
  return path === MISSING && /^(?:404: |console: .* 404 )/.test(problem);
}
