import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createContainer } from '../../../src/container.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import type { Market } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { describeInBrowser } from '../browser/describe-in-browser.ts';
import type { Tab } from '../browser/tab.ts';
import type { TestBrowser } from '../browser/test-browser.ts';
import { configOf } from '../config.ts';
import { ledgerOver } from '../ledger.ts';
import { silentLogger } from '../silent-logger.ts';
import { storeExits } from '../stored.ts';

export interface SiteOptions {
  readonly now: EpochMs;
  /** As in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  fill?(database: Database): Promise<void>;
}

/** A suite with a site over the database that `fill` fills, and a browser. */
export function describeSiteInBrowser(
  name: string,
  options: SiteOptions,
  suite: (site: BrowsedSite) => void,
): Promise<void> {
  return describeInBrowser(name, (startBrowser) => {
    const site = new BrowsedSite(options);
    const closing = new AsyncDisposableStack();
    beforeAll(async () => {
      const folder = closing.use(await mkdtempDisposable(join(tmpdir(), 'tipoff-site-')));
      const url = `sqlite:${join(folder.path, 'tipoff.db')}`;
      const database = await openDatabase(url);
      await options.fill?.(database);
      await database.close();
      await site.start(url);
      closing.defer(() => site.close());
      site.browser = closing.use(await startBrowser());
    }, 120_000);
    // Whatever a page could not do is a fault, unless the test has taken it as expected.
    afterEach(() => expect(site.takeProblems()).toEqual([]));
    afterAll(() => closing.disposeAsync());
    suite(site);
  });
}

const SETTINGS = { ROLES: 'api', MARKET_SOURCE: 'none', PUBLIC_REQUESTS_PER_MINUTE: '0' };

/** Its time, and that of its tabs, is not the host's: it stands until it is moved; waits are real. */
export class BrowsedSite {
  origin = '';
  browser!: TestBrowser;
  #now: EpochMs;
  readonly #settings: SiteOptions['settings'];
  #url = '';
  #service!: Awaited<ReturnType<typeof createContainer>>;
  #ledger: ReturnType<typeof ledgerOver> | null = null;
  readonly #tabs: Tab[] = [];

  constructor({ now, settings }: SiteOptions) {
    this.#now = now;
    this.#settings = settings;
  }

  async start(url: string, port = '0'): Promise<void> {
    const config = configOf({ ...SETTINGS, ...this.#settings, DATABASE_URL: url, PORT: port });
    const clock = { ...systemClock, now: this.now };
    this.#service = await createContainer(config, { clock, logger: silentLogger });
    this.#url = url;
    this.#ledger = null;
    this.origin = (await this.#service.start()).address ?? '';
  }

  /** Starts again at the same address, that much later. */
  async restart(afterMs: number): Promise<void> {
    await this.close();
    await this.pass(afterMs);
    await this.start(this.#url, new URL(this.origin).port);
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  /** A tab with an empty cache of its own. */
  async open(options?: Parameters<TestBrowser['open']>[1]): Promise<Tab> {
    const tab = await this.browser.open(this.origin, options);
    await tab.setTime(this.#now);
    this.#tabs.push(tab);
    return tab;
  }

  /** What went wrong in its tabs since the last call, closed ones included. */
  takeProblems(): readonly string[] {
    return this.#tabs.flatMap((tab) => tab.takeProblems());
  }

  readonly now = () => this.#now;

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const open = this.#tabs.filter(({ page }) => !page.isClosed());
    await Promise.all(open.map((tab) => tab.setTime(this.#now)));
  }

  async publish(candidate: Candidate): Promise<Alert> {
    const moment = { tradedAt: this.#now - 2_000, detectedAt: this.#now, isHistory: false };
    const [alert] = await (await this.#openLedger()).append([{ candidate, ...moment }]);
    if (alert === undefined) throw new Error(`${candidate.key} was published before`);
    return alert;
  }

  async sell(exit: Exit): Promise<void> {
    await storeExits(this.#service.database, exit);
    // It is opened again after this entry of another writer.
    this.#ledger = null;
  }

  /** So long ago that everyone sees it. */
  async settle(market: Pick<Market, 'id' | 'outcomes' | 'payouts'>): Promise<void> {
    await (await this.#openLedger()).resolve(market, this.#now - configOf({}).freeDelayMs);
  }

  async #openLedger() {
    if (this.#ledger !== null) return this.#ledger;
    const { database, feed } = this.#service;
    this.#ledger = ledgerOver(database, {
      onAppended: (alerts) => feed.announce(...alerts),
      onSettled: (settlement) => feed.announceSettlement(settlement),
    });
    await this.#ledger.open(1);
    return this.#ledger;
  }
}
