import { rowAgeVerdict } from '../../../../core/doctor/verdicts.ts';
import { newestAt } from '../head-page.ts';
import { found, type Probe, secondsText } from '../probe.ts';

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
