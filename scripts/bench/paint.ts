import { openDatabase } from '../../src/infra/database/database.ts';
import { findChromium } from '../../test/support/browser/find-chromium.ts';
import type { Tab } from '../../test/support/browser/tab.ts';
import { TestBrowser } from '../../test/support/browser/test-browser.ts';
import { playMidterms } from '../../test/support/site/midterms.ts';
import { linksOf } from '../../test/support/site/walk-site.ts';
import { openSqliteFile } from './databases.ts';
import { atMost, figure, median } from './figure.ts';
import { startApi } from './service.ts';

const ROUNDS = 15;
const THROTTLING = 4;
const PHONE = { width: 390, height: 844 };
/** Of the midterms, with a chart, a result and other positions of its wallet. */
const ALERT = '/alerts/100';
/** A text of two lines: nothing to load, and nothing to lay out. */
const EMPTY = '/robots.txt';
const MOST_TIMES = 2.5;
const OTHERS = ['/', '/record', '/markets', '/status', '/about', '/docs'];
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint !== undefined) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** When a reader sees the first of a page of each kind, beside an empty one in turns. */
export async function benchPaint(): Promise<readonly string[]> {
  const found = await findChromium();
  if ('problem' in found) return [figure('the first paint', `skipped: ${found.problem}`)];
  await using file = await openSqliteFile();
  await fill(file.url);
  await using service = await startApi(file.url);
  await using browser = await TestBrowser.start(found);
  const tab = await browser.open(service.address);
  await tab.page.setViewport(PHONE);
  await tab.page.emulateCPUThrottling(THROTTLING);
  const figures: string[] = [];
  for (const path of await pagesOf(service.address)) {
    // The first visit of a page fills the cache.
    await firstPaint(tab, path);
    const [times, empty]: [number[], number[]] = [[], []];
    while (times.length < ROUNDS) {
      times.push(await firstPaint(tab, path));
      empty.push(await firstPaint(tab, EMPTY));
    }
    const ratio = median(times) / median(empty);
    const value = `${median(times)} ms, ${ratio.toFixed(2)} times an empty page`;
    figures.push(figure(`\`${path}\``, value, atMost(ratio, MOST_TIMES, ' times')));
  }
  return figures;
}

async function fill(url: string): Promise<void> {
  await using database = await openDatabase(url);
  await playMidterms(database);
}

async function pagesOf(address: string): Promise<readonly string[]> {
  const links = linksOf(await (await fetch(address + ALERT)).text());
  const own = ['/markets/', '/wallets/'].flatMap((kind) => links.find((link) => link.startsWith(kind)) ?? []);
  return [ALERT, ...own, ...OTHERS];
}

async function firstPaint(tab: Tab, path: string): Promise<number> {
  await tab.visit(path);
  return (await tab.page.evaluate(FIRST_PAINT)) as number;
}
