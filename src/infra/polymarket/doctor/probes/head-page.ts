import { headPageVerdict } from '../../../../core/doctor/verdicts.ts';
import { SECOND_MS } from '../../../../core/duration.ts';
import { NEWEST_PAGE } from '../../trades/trade-listing.ts';
import { type HeadPage, readPage } from '../head-page.ts';
import { found, type Probe } from '../probe.ts';

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
