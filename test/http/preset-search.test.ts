import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { startWithKey } from '../support/preset-api.ts';
import { problem } from '../support/problem.ts';
import { START } from '../support/rows.ts';

describe('design: “GET /alerts?preset=<id> applies one”, “the explicit one wins”', () => {
  async function startWithAlerts(filters: object) {
    const api = await startWithKey();
    for (let id = 1; id <= 8; id += 1) {
      await api.append(
        alertOf({
          id,
          score: id * 10,
          category: id % 2 === 0 ? 'crypto' : 'tech',
          createdAt: START + id * 1_000,
        }),
      );
    }
    const { id } = (await api.post({ name: 'x', filters })).body;
    const page = async (query = '') => (await api.asked(`/alerts?preset=${id}${query}`)).body;
    return {
      ...api,
      id,
      page,
      ids: async (query = '') => (await page(query)).alerts.map((a: { id: number }) => a.id),
    };
  }

  test('its filters choose the alerts', async () => {
    const { ids } = await startWithAlerts({ category: 'crypto', min_signal: 40 });
    expect(await ids()).toEqual([8, 6, 4]);
    expect(await ids('&min_signal=70')).toEqual([8]);
    expect(await ids('&min_signal=0&category=tech')).toEqual([7, 5, 3, 1]);
  });

  test('its page and page size count where the query names none, also when the query names the default', async () => {
    const { page, ids } = await startWithAlerts({ page: 2, page_size: 3 });
    expect(await page()).toMatchObject({ page: 2, page_size: 3, total: 8, has_more: true });
    expect(await ids()).toEqual([5, 4, 3]);
    expect(await page('&page=1')).toMatchObject({ page: 1, page_size: 3 });
    expect(await page('&page=1&page_size=20')).toMatchObject({ page: 1, page_size: 20, has_more: false });
  });

  test('a page size above the tier’s is lowered as one of the query is', async () => {
    const { page } = await startWithAlerts({ page_size: 100 });
    expect(await page()).toMatchObject({ page: 1, page_size: 20 });
  });

  test('what is not set, or is no query name, changes nothing', async () => {
    const { ids } = await startWithAlerts({
      category: null,
      wallet: '0xaa',
      preset: 'preset_x',
      since: '2020-01-01 00:00:00',
    });
    expect(await ids()).toHaveLength(8);
  });

  test('an unknown preset is a 404 that names it, an empty one a 422, and a wrong query is reported first', async () => {
    const { asked } = await startWithKey();
    expect(await asked('/alerts?preset=preset_nothing')).toMatchObject({
      status: 404,
      body: { detail: 'Preset preset_nothing was not found.', code: 'preset_not_found' },
    });
    expect((await asked('/alerts?preset=')).body).toEqual(problem(['query', 'preset'], 'string_too_short'));
    expect((await asked('/alerts?preset=a&preset=b')).body).toEqual(
      problem(['query', 'preset'], 'value_error'),
    );
    expect((await asked('/alerts?preset=preset_nothing&page=0')).status).toBe(422);
  });

  test('a name that no build knew when it was saved, and that does not fit now, stays unused', async () => {
    const { asked, database, service } = await startWithKey();
    const [key] = await service.list();
    const filters = { min_signal: 'high', category: 'crypto' };
    await database.presets.insert(
      { id: 'old', keyId: key?.id ?? '', name: 'x', filters, createdAt: START },
      100,
    );
    expect((await asked('/alerts?preset=old')).status).toBe(200);
  });
});
