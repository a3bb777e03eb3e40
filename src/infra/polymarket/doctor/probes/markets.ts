import { percent } from '../../../../core/doctor/doctor-report.ts';
import { marketsVerdict } from '../../../../core/doctor/verdicts.ts';
import { GammaMarkets } from '../../markets/gamma-markets.ts';
import { sampleOf } from '../head-page.ts';
import { noLogger } from '../no-logger.ts';
import { found, type Probe } from '../probe.ts';

/** Gamma describes traded markets by the ids in trades. */
export const marketsProbe: Probe = {
  name: 'markets',
  action:
    'Gamma does not describe traded markets: alerts are late and in the category other. Update Tipoff; the ids or the listing changed.',
  needs: ['/v2/trades', '/markets/keyset?condition_ids'],
  async find({ client, clock, head }, signal) {
    const { marketIds } = sampleOf(head);
    const described = await new GammaMarkets({ client, clock, logger: noLogger }).ask(marketIds, signal);
    const share = marketIds.length === 0 ? 0 : described.size / marketIds.length;
    const counts = [...Map.groupBy(described.values(), versionOf)].map(
      ([version, { length }]) => `${version} ${length}`,
    );
    return found(
      marketsVerdict(share),
      `${percent(share)}: ${described.size} of ${marketIds.length} markets${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
      share,
    );
  },
};

function versionOf(market: unknown): string {
  const version = (market as { version?: unknown } | null)?.version;
  return typeof version === 'string' ? version : 'v1';
}
