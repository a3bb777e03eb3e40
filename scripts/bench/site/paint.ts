import { findChromium } from '../../../test/support/browser/find-chromium.ts';
import type { Tab } from '../../../test/support/browser/tab.ts';
import { TestBrowser } from '../../../test/support/browser/test-browser.ts';
import { linksOf } from '../../../test/support/site/walk-site.ts';
import { openSqliteFile } from '../databases.ts';
import { atMost, type Figure, figure, inMs, median } from '../figure.ts';
import { startApi } from '../service.ts';
import { fill } from './site.ts';

const [WARM_UPS, ROUNDS, AIM_MS, THROTTLING] = [1, 15, 150, 4];
const PHONE = { width: 390, height: 844 };
/** Of the midterms, with a chart, a result and other positions of its wallet. */
const ALERT = '/alerts/100';
const OTHERS = ['/', '/record', '/markets', '/status', '/about', '/docs'];
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint !== undefined) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** When a reader sees the first of a page. */
export async function benchPaint(): Promise<readonly Figure[]> {
  const found = await findChromium();
  if ('problem' in found) return [figure('the first paint', `skipped: ${found.problem}`)];
  await using bench = await openSqliteFile();
  await using _archive = await fill(bench);
  await using service = await startApi(bench.url);
  await using browser = await TestBrowser.start(found);
  const open = () => newTab(browser, service.address);
  const pages = await pagesOf(service.address);
  const times = await inOneTab(open, pages, WARM_UPS + ROUNDS);
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) first.push(...(await inOneTab(open, ['/'], 1)).flat());
  return [
    ...pages.map((path, index) => paintFigure(`\`${path}\``, times[index]?.slice(WARM_UPS) ?? [], true)),
    paintFigure('`/` as the first page of a new process with an empty cache', first, false),
  ];
}

/** The first paints of each page, ms. */
async function inOneTab(
  open: () => Promise<Tab>,
  paths: readonly string[],
  rounds: number,
): Promise<readonly (readonly number[])[]> {
  const tab = await open();
  const times = paths.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, path] of paths.entries()) times[index]?.push(await firstPaint(tab, path));
  await tab.close();
  return times;
}

/** One of each kind. */
async function pagesOf(address: string): Promise<readonly string[]> {
  const links = linksOf(await (await fetch(address + ALERT)).text());
  const own = ['/markets/', '/wallets/'].flatMap((kind) => links.find((link) => link.startsWith(kind)) ?? []);
  return [ALERT, ...own, ...OTHERS];
}

async function newTab(browser: TestBrowser, origin: string): Promise<Tab> {
  const tab = await browser.open(origin);
  await tab.page.setViewport(PHONE);
  await tab.page.emulateCPUThrottling(THROTTLING);
  return tab;
}

async function firstPaint(tab: Tab, path: string): Promise<number> {
  await tab.visit(path);
  return (await tab.page.evaluate(FIRST_PAINT)) as number;
}

function paintFigure(what: string, times: readonly number[], hasAim: boolean): Figure {
  const middle = median(times);
  const value = `${inMs(middle)} (${Math.min(...times)} to ${Math.max(...times)})`;
  return figure(what, value, hasAim ? atMost(middle, AIM_MS, inMs) : undefined);
}
