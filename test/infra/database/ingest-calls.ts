import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { hourOf, marketOf } from './observed.ts';
import type { Calls } from './store-calls.ts';

const PAGE = { limit: 10 };
const RANGE = { from: START, until: START + 9_000_000 };
const RESOLUTION = { payout: 1, won: true, profitUsdc: 1 };
const LEASE = { epoch: 1 };
const CLAIM = { owner: 'host/1', now: START, ttlMs: 1_000 };
const CHUNK = { set: '1-1', position: 0, text: 'x' };
const POINTER = { source: 'tape', checkpoint: 1, sets: [{ id: '1-1', count: 1 }] };

/** Every method of the stores of alerts and of the ingest, as in `CALLS`. */
export const INGEST_CALLS: Pick<Calls, 'alerts' | 'ingest' | 'observations'> = {
  alerts: {
    append: async (alerts) => {
      await alerts.append(alertOf({ id: 2 }));
      return alerts.append(alertOf({ id: 1 }));
    },
    setLog: (alerts) => alerts.setLog(1, { sequence: 1, hash: 'a' }),
    last: (alerts) => alerts.last(),
    byId: (alerts) => alerts.byId(1),
    thread: (alerts) => alerts.thread('w:0xaa:0xm1:BUY:Yes'),
    ofMarket: (alerts) => alerts.ofMarket('0xm1', 10),
    after: (alerts) => alerts.after(1, 10),
    latest: async (alerts) => {
      await alerts.latest({ limit: 10 });
      return alerts.latest({ limit: 10, until: START });
    },
    search: (alerts) => alerts.search({ search: '0xaa', until: START }, { page: 1, pageSize: 10 }),
    hotMarkets: (alerts) => alerts.hotMarkets({ since: START, until: START + 9_000, limit: 10 }),
    stats: (alerts) => alerts.stats({ dayStart: START, until: START + 2_000 }),
    preview: (alerts) => alerts.preview({ since: START, until: START + 9_000 }, { newest: 1 }),
    walletReport: (alerts) => alerts.walletReport(alertOf({ id: 1 }).wallet, PAGE),
    marketReport: (alerts) => alerts.marketReport('0xm1', PAGE),
    marketOfSlug: (alerts) => alerts.marketOfSlug('will-the-measure-pass', {}),
    resolveMarket: (alerts) => alerts.resolveMarket('0xm1', () => RESOLUTION),
    unresolvedMarkets: (alerts) => alerts.unresolvedMarkets({ afterId: 0, limit: 10 }),
  },
  ingest: {
    acquire: (ingest) => ingest.acquire({ ...CLAIM, isGone: () => true }),
    renew: (ingest) => ingest.renew(LEASE, CLAIM),
    writeChunks: (ingest) => ingest.writeChunks(LEASE, 'tape', [CHUNK]),
    writeSnapshot: (ingest) => ingest.writeSnapshot(LEASE, POINTER),
    readSnapshot: (ingest) => ingest.readSnapshot('tape'),
    readChunks: (ingest) => ingest.readChunks('1-1', { first: 0, limit: 10 }),
    dropChunks: (ingest) => ingest.dropChunks(LEASE, 'tape', 10),
    release: (ingest) => ingest.release(LEASE),
  },
  observations: {
    write: async ({ write }) => {
      const batch = { markets: [marketOf({ marketId: '0xm1' })], hours: [hourOf('0xm1', 0)] };
      return write(LEASE, batch);
    },
    market: (observations) => observations.market('0xm1'),
    markets: (observations) => observations.markets({ ...PAGE, after: '0xa' }),
    open: (observations) => observations.open({ ...PAGE, after: '0xa' }),
    hours: (observations) => observations.hours('0xm1', { ...PAGE, ...RANGE }),
  },
};
