import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContainer } from '../../../src/container.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import type { Market } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { configOf } from '../config.ts';
import { ledgerOver } from '../ledger.ts';
import { silentLogger } from '../silent-logger.ts';

interface SiteOptions {
  readonly url: string;
  readonly now: EpochMs;
  /** Default: a free one. */
  readonly port?: number;
}

export type RunningSite = Awaited<ReturnType<typeof startSite>>;

const SETTINGS = { ROLES: 'api', MARKET_SOURCE: 'none', PUBLIC_REQUESTS_PER_MINUTE: '0' };

/** Over a database that was filled before. Its time is not that of the host: it stands until it is moved; waits are real. */
export async function startSite({ url, now, port = 0 }: SiteOptions) {
  const config = configOf({ ...SETTINGS, DATABASE_URL: url, PORT: String(port) });
  let time = now;
  const clock = { ...systemClock, now: () => time };
  const container = await createContainer(config, { clock, logger: silentLogger });
  const { database, feed } = container;
  const ledger = ledgerOver(database, {
    onAppended: (alerts) => feed.announce(...alerts),
    onSettled: (settlement) => feed.announceSettlement(settlement),
  });
  let opening: Promise<void> | null = null;
  const openLedger = () => {
    opening ??= ledger.open();
    return opening;
  };
  const { address } = await container.start();
  return {
    origin: address ?? '',
    now: () => time,
    pass(ms: number): void {
      time += ms;
    },
    async publish(candidate: Candidate): Promise<Alert> {
      await openLedger();
      const moment = { tradedAt: time - 2_000, detectedAt: time, isHistory: false };
      const [alert] = await ledger.append([{ candidate, ...moment }]);
      if (alert === undefined) throw new Error(`${candidate.key} was published before`);
      return alert;
    },
    sell: (exit: Exit) => database.exits.append(exit),
    async settle(market: Pick<Market, 'id' | 'outcomes' | 'payouts'>): Promise<void> {
      await openLedger();
      await ledger.resolve(market, time);
    },
    close: () => container.close(),
  };
}

export interface SiteDatabase extends AsyncDisposable {
  readonly url: string;
}

export async function siteDatabase(fill: (database: Database) => Promise<void>): Promise<SiteDatabase> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-site-'));
  const url = `sqlite:${join(folder.path, 'tipoff.db')}`;
  const database = await openDatabase(url);
  await fill(database);
  await database.close();
  return { url, [Symbol.asyncDispose]: folder.remove };
}
