import { rowAgeVerdict } from '../../../../core/doctor/verdicts.ts';
import { newestAt } from '../head-page.ts';
import { found, type Probe, secondsText } from '../probe.ts';

/** The list shows trades soon after they were made. `head_page` probes for a cache in front of it. */
export const freshnessProbe: Probe = {
  name: 'freshness',
  action:
    'The list of trades lags: alerts come as late. Set POLYGON_RPC_URL to get trades from the chain; else wait, the feed calls itself blind meanwhile.',
  needs: ['/v2/trades'],
  async find({ head }) {
    const ageMs = Math.max(0, head.asOf - newestAt(head));
    return found(rowAgeVerdict(ageMs), `the newest row was ${secondsText(ageMs)} old`);
  },
};
