import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const PAGE = { limit: 10 };
const RESOLUTION = { payout: 1, won: true, profitUsdc: 1 };

/** Every method of the store of alerts, as in `CALLS`. */
export const INGEST_CALLS: Pick<Calls, 'alerts'> = {
  alerts: {
    append: async (alerts) => {
      await alerts.append(alertOf({ id: 2 }));
      return alerts.append(alertOf({ id: 1 }));
    },
    setLog: [1, { sequence: 1, hash: 'a' }],
    withdraw: [1, { at: START, reason: null }],
    marketsWithoutEvent: [],
    nameEvent: ['0xm1', 'the-event'],
    last: [],
    byId: [1],
    known: [['a']],
    threads: [['w:0xaa:0xm1:BUY:Yes']],
    ofMarket: ['0xm1', 10],
    after: [1, 10],
    latest: async (alerts) => {
      await alerts.latest({ limit: 10 });
      return alerts.latest({ limit: 10, until: START });
    },
    search: [
      { search: '0xaa', until: START + 60_000 },
      { page: 1, pageSize: 10 },
    ],
    summaries: [{ side: 'BUY' }, { page: 1, pageSize: 10 }],
    hotMarkets: [{ since: START, until: START + 9_000, limit: 10 }],
    stats: [{ dayStart: START, until: START + 2_000 }],
    preview: [{ since: START, until: START + 9_000 }, { newest: 1 }],
    matching: [{ side: 'BUY' }, { ids: [1], marketIds: ['0xm1'] }],
    walletReport: [alertOf({ id: 1 }).wallet, PAGE],
    marketReport: ['0xm1', PAGE],
    marketOfSlug: ['will-the-measure-pass', {}],
    marketsOfEvent: ['will-the-measure-pass', { limit: 2 }],
    marketsNamed: ['measure', { limit: 2 }],
    walletsNamed: [{ start: '0xa', end: '1' }, { limit: 2 }],
    resolveMarket: ['0xm1', () => RESOLUTION],
    unresolvedMarkets: [{ afterId: 0, limit: 10 }],
  },
};
