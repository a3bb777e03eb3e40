import { SECOND_MS } from '../../../../../core/base/time/duration.ts';
import {
  cursorVerdict,
  headPageVerdict,
  rowAgeVerdict,
  skewVerdict,
} from '../../../../../core/ingest/doctor/verdicts.ts';
import { NEWEST_PAGE } from '../../trades/trade-pages.ts';
import { type HeadPage, newestAt, readPage } from '../head-page.ts';
import { found, type Probe, secondsText, skipped } from '../probe.ts';

const AGAIN_AFTER_MS = 5 * SECOND_MS;

/** The newest page, requested twice, comes from the market and not from a cache. */
export const headPageProbe: Probe = {
  name: 'head_page',
  action:
    'A cache answers for the list of trades: alerts are minutes late. Set POLYGON_RPC_URL, and look for a caching proxy in your network; the CDN must respect the unused parameter `_`.',
  needs: ['/v2/trades'],
  async find(examination, signal) {
    const { head, clock } = examination;
    await clock.sleep(AGAIN_AFTER_MS, signal);
    const again = await readPage(examination, NEWEST_PAGE, signal);
    const isDifferent = [...again.keys].some((key) => !head.keys.has(key));
    const verdict = headPageVerdict({ isDifferent, isCached: head.ageMs > 0 || again.ageMs > 0 });
    return found(verdict, `${isDifferent ? 'other' : 'the same'} rows 5 s later; ${originText(again)}`);
  },
};

function originText({ ageMs, cache }: HeadPage): string {
  return `Age ${ageMs === 0 ? 'none' : `${ageMs / 1_000} s`}, X-Cache ${cache ?? 'none'}`;
}

/** The list shows trades soon after they were made. Caches in front of it have a probe of their own. */
export const freshnessProbe: Probe = {
  name: 'freshness',
  action:
    'The list of trades lags, and alerts are as late. Set POLYGON_RPC_URL to get trades from the chain, or wait; the feed reports that it is blind meanwhile.',
  needs: ['/v2/trades'],
  async find({ head }) {
    const ageMs = Math.max(0, head.asOf - newestAt(head));
    return found(rowAgeVerdict(ageMs), `the newest row was ${secondsText(ageMs)} old`);
  },
};

/** The cursor of the head page leads to older trades. */
export const cursorProbe: Probe = {
  name: 'cursor',
  action:
    'Pages behind the newest cannot be read: trades made while the feed is blind or the service is stopped are lost. Set POLYGON_RPC_URL, and update Tipoff.',
  needs: ['/v2/trades'],
  async find(examination, signal) {
    const { head } = examination;
    if (head.next === null) return found('fail', `no cursor on a page of ${head.trades.length} rows`);
    const { keys } = await readPage(examination, head.next, signal);
    const repeated = [...keys].filter((key) => head.keys.has(key)).length;
    return found(
      cursorVerdict(repeated / keys.size),
      `${repeated} of ${keys.size} rows were on the page before`,
    );
  },
};

/** This host's clock agrees with the market's. */
export const clockSkewProbe: Probe = {
  name: 'clock_skew',
  action: 'The clock of this host is wrong, and delays and times are measured by it. Synchronise it (NTP).',
  needs: [],
  async find({ clock }) {
    const skewMs = clock.skewMs();
    if (skewMs === null) return skipped('no answer had a Date');
    const side = skewMs > 0 ? 'behind' : 'ahead of';
    return found(skewVerdict(skewMs), `${secondsText(Math.abs(skewMs))} ${side} the market`);
  },
};
