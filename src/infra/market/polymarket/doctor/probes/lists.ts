import pLimit from 'p-limit';
import { withDeadline } from '../../../../../core/base/async/with-timeout.ts';
import { SECOND_MS } from '../../../../../core/base/time/duration.ts';
import { UpstreamFault } from '../../client/market-client.ts';
import { gammaMarkets } from '../../markets/gamma-markets.ts';
import { askResolutions } from '../../resolutions/resolution-answers.ts';
import { NEWEST_PAGE } from '../../trades/trade-pages.ts';
import { accountAge } from '../../wallets/account-age.ts';
import { type Asking, TradeHistory } from '../../wallets/trade-history.ts';
import { type ProbeFinding, VERDICTS } from '../doctor-report.ts';
import {
  found,
  foundShare,
  newestAt,
  type Probe,
  readPage,
  sampleOf,
  secondsText,
  skipped,
} from '../probe.ts';

const AGAIN_AFTER_MS = 5 * SECOND_MS;
const CONCURRENCY = 4;
/** Questions without an answer by then do not count: the feed may be using the budget. */
const LIMIT_MS = 40 * SECOND_MS;
const LEAST = 5;

export const LIST_PROBES: readonly Probe[] = [
  {
    name: 'head_page',
    action:
      'A cache answers for the list of trades: alerts are minutes late. Use a node (POLYGON_RPC_URL), and look for a caching proxy in your network; the CDN must respect the unused parameter `_`.',
    needs: ['/v2/trades'],
    async find(examination, signal) {
      const { head, clock } = examination;
      await clock.sleep(AGAIN_AFTER_MS, signal);
      const { keys, ageMs, cache = 'none' } = await readPage(examination, NEWEST_PAGE, signal);
      const isDifferent = [...keys].some((key) => !head.keys.has(key));
      const verdict = VERDICTS.headPage({ isDifferent, isCached: head.ageMs > 0 || ageMs > 0 });
      const age = ageMs === 0 ? 'none' : `${ageMs / 1_000} s`;
      const rows = isDifferent ? 'other' : 'the same';
      return found(verdict, `${rows} rows 5 s later; Age ${age}, X-Cache ${cache}`);
    },
  },
  /** The list shows trades soon after they were made. Caches in front of it have a probe of their own. */
  {
    name: 'freshness',
    action:
      'The list of trades lags, and alerts lag with it. Use a node (POLYGON_RPC_URL), or wait; the feed reports that it is blind in the meantime.',
    needs: ['/v2/trades'],
    async find({ head }) {
      const ageMs = Math.max(0, head.asOf - newestAt(head));
      return found(VERDICTS.rowAge(ageMs), `the newest row was ${secondsText(ageMs)} old`);
    },
  },
  {
    name: 'cursor',
    action:
      'Pages behind the newest cannot be read: trades made while the feed is blind or the service is stopped are lost. Use a node (POLYGON_RPC_URL), and update Tipoff.',
    needs: ['/v2/trades'],
    async find(examination, signal) {
      const { head } = examination;
      if (head.next === null) return found('fail', `no cursor on a page of ${head.trades.length} rows`);
      const { keys } = await readPage(examination, head.next, signal);
      const repeated = [...keys].filter((key) => head.keys.has(key)).length;
      const verdict = VERDICTS.cursor(repeated / keys.size);
      return found(verdict, `${repeated} of ${keys.size} rows were on the page before`);
    },
  },
  {
    name: 'wallet_dates',
    action:
      'Wallets without a date are never fresh: alerts of their buys are missing. Check which of the sources has none.',
    needs: ['/v2/trades', '/v2/trades?user', '/v2/user-stats', '/v2/activity', '/public-profile'],
    async find({ client, clock, head }, signal) {
      const { wallets } = sampleOf(head);
      const limit = pLimit(CONCURRENCY);
      const sources: string[] = [];
      await withDeadline({ clock, deadlineMs: LIMIT_MS, signal }, (within) =>
        limit.map(wallets, async ({ wallet, at: before }) => {
          const source = await sourceOf({ client, wallet, before, signal: within });
          if (!within.aborted) sources.push(source);
        }),
      );
      signal.throwIfAborted();
      return walletsFinding(sources, Math.min(LEAST, wallets.length));
    },
  },
  {
    name: 'markets',
    action:
      'Gamma does not describe traded markets: alerts are late and in the category other. Update Tipoff; the ids or the listing changed.',
    needs: ['/v2/trades', '/markets/keyset?condition_ids'],
    async find({ client, head }, signal) {
      const { marketIds } = sampleOf(head);
      const described = await gammaMarkets(client, marketIds, signal);
      const versions = [...Map.groupBy(described.values(), versionOf)].map(
        ([version, { length }]) => `${version} ${length}`,
      );
      const what = versions.length === 0 ? 'markets' : `markets (${versions.join(', ')})`;
      return foundShare(VERDICTS.markets, { count: described.size, of: marketIds.length, what });
    },
  },
  {
    name: 'resolutions',
    action:
      'Outcomes of markets are unknown or late: alerts stay unresolved. Update Tipoff; the market may refuse the form of an id.',
    needs: ['/v2/trades', '/v2/resolutions'],
    async find({ client, head }, signal) {
      const { marketIds } = sampleOf(head);
      const answers = await askResolutions(client, marketIds, signal);
      const count = marketIds.filter((id) => answers.has(id)).length;
      return foundShare(VERDICTS.resolutions, {
        count,
        of: marketIds.length,
        what: 'markets',
      });
    },
  },
];

export const clockSkewProbe: Probe = {
  name: 'clock_skew',
  action: 'The clock of this host is wrong, and delays and times are measured by it. Synchronise it (NTP).',
  needs: [],
  async find(examination) {
    const skewMs = examination.skewMs();
    if (skewMs === null) return skipped('no answer had a Date');
    const side = skewMs > 0 ? 'behind' : 'ahead of';
    return found(VERDICTS.skew(skewMs), `${secondsText(Math.abs(skewMs))} ${side} the market`);
  },
};

function versionOf(market: unknown): string {
  const version = (market as { version?: unknown } | null)?.version;
  return typeof version === 'string' ? version : 'v1';
}

async function sourceOf(asking: Asking): Promise<string> {
  try {
    const age = await accountAge(asking, new TradeHistory(asking));
    return 'reason' in age ? 'none' : age.source;
  } catch (error) {
    if (asking.signal.aborted || error instanceof UpstreamFault) return 'failed';
    throw error;
  }
}

function walletsFinding(sources: readonly string[], least: number): ProbeFinding {
  if (sources.length < least)
    return found('fail', `only ${sources.length} wallets were answered within ${LIMIT_MS / 1_000} s`);
  const groups = [...Map.groupBy(sources, (source) => source)];
  const counts = groups.map(([source, { length }]) => `${source} ${length}`).join(', ');
  const count = sources.filter((source) => source !== 'none' && source !== 'failed').length;
  return foundShare(VERDICTS.walletDates, { count, of: sources.length, what: `wallets (${counts})` });
}
