import { z } from 'zod';
import { percent } from '../../../../core/doctor/doctor-report.ts';
import { resolutionsVerdict } from '../../../../core/doctor/verdicts.ts';
import { conditionIdOf } from '../../../sources/condition-id.ts';
import { sampleOf } from '../head-page.ts';
import { found, type Probe } from '../probe.ts';

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
