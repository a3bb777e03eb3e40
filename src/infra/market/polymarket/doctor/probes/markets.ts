import { z } from 'zod';
import { percent } from '../../../../../core/ingest/doctor/doctor-report.ts';
import { marketsVerdict, resolutionsVerdict } from '../../../../../core/ingest/doctor/verdicts.ts';
import { conditionIdOf } from '../../../tapes/text-fields.ts';
import { gammaMarkets } from '../../markets/gamma-markets.ts';
import { sampleOf } from '../head-page.ts';
import { found, type Probe } from '../probe.ts';

/** Gamma describes traded markets by the ids in trades. */
export const marketsProbe: Probe = {
  name: 'markets',
  action:
    'Gamma does not describe traded markets: alerts are late and in the category other. Update Tipoff; the ids or the listing changed.',
  needs: ['/v2/trades', '/markets/keyset?condition_ids'],
  async find({ client, head }, signal) {
    const { marketIds } = sampleOf(head);
    const described = await gammaMarkets(client, marketIds, signal);
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

const answer = z.object({ data: z.array(z.object({ condition_id: z.string() })).nullable() });

/** One request for twenty markets of any kind is answered. */
export const resolutionsProbe: Probe = {
  name: 'resolutions',
  action:
    'Outcomes of markets are unknown or late: alerts stay unresolved. Update Tipoff; the market may refuse the form of an id.',
  needs: ['/v2/trades', '/v2/resolutions'],
  async find({ client, head }, signal) {
    const { marketIds } = sampleOf(head);
    const query = { condition: marketIds.join(',') };
    const { body } = await client.get(
      { api: 'data', path: '/v2/resolutions', query, purpose: 'doctor' },
      signal,
    );
    const rows = answer.parse(body).data ?? [];
    const answered = new Set(rows.map(({ condition_id: id }) => conditionIdOf(id)));
    const count = marketIds.filter((id) => answered.has(id)).length;
    const share = marketIds.length === 0 ? 0 : count / marketIds.length;
    return found(
      resolutionsVerdict(share),
      `${percent(share)}: ${count} of ${marketIds.length} markets in one request`,
      share,
    );
  },
};
