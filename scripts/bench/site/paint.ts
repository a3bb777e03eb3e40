import { findChromium } from '../../../test/support/browser/find-chromium.ts';
import { TestBrowser } from '../../../test/support/browser/test-browser.ts';
import { playMidterms } from '../../../test/support/site/midterms.ts';
import { siteDatabase } from '../../../test/support/site/site-database.ts';
import { walkSite } from '../../../test/support/site/walk-site.ts';
import { atMost, exactly, type Figure, figure, inMs, median, ms } from '../figure.ts';
import { progress } from '../progress.ts';
import { startApi } from '../service.ts';

const SLOWER = 4;
const RUNS = 7;
const PAINT_MS = 500;
const KB = 1_000;
/** It is a page of Scalar. */
const OTHERS = ['/docs'];

/** How soon a browser with a slow processor shows the pages, and what it loads for them. */
export async function benchPaint(): Promise<readonly Figure[]> {
  const found = await findChromium();
  if ('problem' in found) return [figure('pages in a browser', `skipped: ${found.problem}`)];
  await using midterms = await siteDatabase(playMidterms);
  await using service = await startApi(midterms.url);
  const { pages } = await walkSite(service.address, ['/']);
  await using browser = await TestBrowser.start(found);
  const figures: Figure[] = [];
  for (const path of pages.filter((page) => !OTHERS.includes(page))) {
    progress(path);
    const loads = await loadsOf(browser, service.address + path);
    figures.push(...figuresOf(path, loads));
  }
  return figures;
}

interface Load {
  readonly paintMs: number;
  readonly shift: number;
  readonly documentBytes: number;
  readonly bytes: number;
}

/** The first one is not counted: the service makes the page. */
async function loadsOf(browser: TestBrowser, url: string): Promise<readonly Load[]> {
  const loads: Load[] = [];
  for (let run = 0; run <= RUNS; run++) loads.push(await loadOf(browser, new URL(url)));
  return loads.slice(1);
}

/** With an empty cache. */
async function loadOf(browser: TestBrowser, { origin, pathname, search }: URL): Promise<Load> {
  const tab = await browser.open(origin);
  await tab.show({ width: 390, scheme: 'light' });
  await tab.page.emulateCPUThrottling(SLOWER);
  const receivedBytes = await tab.countBytes();
  const document = await (await tab.visit(pathname + search)).buffer();
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
  await tab.until(`${paint} > 0`, 'raf');
  const load = {
    paintMs: await tab.ask<number>(paint),
    shift: await tab.ask<number>('probe.shift()'),
    documentBytes: document.length,
    bytes: receivedBytes(),
  };
  await tab.close();
  return load;
}

function figuresOf(path: string, loads: readonly Load[]): readonly Figure[] {
  const paintMs = median(loads.map((load) => load.paintMs));
  const slowest = Math.max(...loads.map((load) => load.paintMs));
  const shift = Math.max(...loads.map((load) => load.shift));
  const { documentBytes = 0, bytes = 0 } = loads.at(-1) ?? {};
  const kb = (count: number) => `${(count / KB).toFixed(1)} kB`;
  return [
    figure(
      `\`${path}\`: first contentful paint`,
      `${ms(paintMs)}, slowest ${ms(slowest)}`,
      atMost(paintMs, PAINT_MS, inMs),
    ),
    figure(`\`${path}\`: layout shift`, String(shift), exactly(shift, 0)),
    figure(
      `\`${path}\`: document; all that is received`,
      `${kb(documentBytes)}; ${kb(bytes)}`,
      atMost(bytes, 150 * KB, kb),
    ),
  ];
}
