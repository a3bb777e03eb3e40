import { beforeAll } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { candidateOf } from '../../support/alerts.ts';
import type { Tab } from '../../support/browser/tab.ts';
import { START } from '../../support/rows.ts';
import { type BrowsedSite, describeSiteInBrowser } from '../../support/site/describe-site-in-browser.ts';
import { ALERTS, facts, fillWithAlerts } from './filled-with-alerts.ts';

export const VISIBLE_MS = 5 * MINUTE_MS + 1;

/** The list of all alerts, the newest first. */
export const NEWEST = '/?sort=newest';
export const ROW = (id: number) => `document.getElementById('alert-${id}-row')`;
export const PILL = `document.querySelector('.news button:not(:empty)')`;
/** Whether the row of an alert says that its bet was right. */
export const IS_WON = (id: number) => `/right|won/i.test(${ROW(id)}.querySelector('.price').textContent)`;
/** What a reader sees: how far the page is scrolled, and where each row is. */
export const SEEN = `[scrollY, ...[...document.querySelectorAll('article, h3, .market-row')].map((row) => {
  const { left, top, right, bottom } = row.getBoundingClientRect();
  return [row.id, left, top, right, bottom].join();
})]`;
/** Pages wait so many times shorter before they read themselves again, or say that the connection is lost. */
const HASTE = 50;

const SITE = { now: START + 6 * MINUTE_MS, fill: fillWithAlerts };

/** A suite with a tab in which pages are read while alerts are published. */
export async function describeReading(name: string, suite: (reading: Reading) => void): Promise<void> {
  await describeSiteInBrowser(name, SITE, (site) => {
    const reading = new Reading(site);
    beforeAll(() => reading.begin(), 120_000);
    suite(reading);
  });
}

class Reading {
  readonly site: BrowsedSite;
  tab!: Tab;
  /** The newest alert. */
  published = ALERTS;

  constructor(site: BrowsedSite) {
    this.site = site;
  }

  async begin(): Promise<void> {
    this.tab = await this.openTab();
  }

  /** With a storage of its own. */
  async openTab(): Promise<Tab> {
    const tab = await this.site.open();
    await tab.page.evaluateOnNewDocument(`
      for (const name of ['setInterval', 'setTimeout']) {
        const slow = globalThis[name];
        globalThis[name] = (work, ms, ...given) => slow(work, ms / ${HASTE}, ...given);
      }`);
    return tab;
  }

  async open(path: string, width = 390): Promise<void> {
    const { tab } = this;
    await tab.show({ width, scheme: 'light' });
    // The page before must not be one that reads.
    await tab.page.goto('about:blank');
    const read = this.isRead(path);
    await tab.visit(path);
    await read;
  }

  /** Resolves when the page of the path has read itself again. */
  async isRead(path: string): Promise<void> {
    const { tab, site } = this;
    const response = await tab.page.waitForResponse(
      (other) => other.url() === site.origin + path && other.request().resourceType() === 'fetch',
    );
    await response.buffer();
  }

  /** As the newest ones that readers without a key see. */
  async publish(count: number, given: object = {}): Promise<void> {
    for (let alert = 0; alert < count; alert++) {
      this.published += 1;
      const id = this.published;
      await this.site.publish(candidateOf({ key: `w:${id}`, ...facts(id), ...given }));
    }
    await this.site.pass(VISIBLE_MS);
  }

  settle(id: number): Promise<void> {
    return this.site.settle({ id: `0xm${id}`, outcomes: ['Yes', 'No'], payouts: [1, 0] });
  }

  readonly ask = <Result>(expression: string) => this.tab.ask<Result>(expression);

  async clickPill(): Promise<void> {
    await this.tab.page.click('.news button');
  }
}
