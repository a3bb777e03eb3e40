import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { ask } from '../support/api-server.ts';
import { FILTERS, NOW, startWithKey } from '../support/preset-api.ts';
import { problem } from '../support/problem.ts';
import { START } from '../support/rows.ts';

const WITHOUT_FEED = { has_feed: false };

describe('presets: “also GET list, GET, PUT, DELETE by id”', () => {
  test('a preset is shown as it was saved, the list oldest first', async () => {
    const { post, asked, clock } = await startWithKey();
    const first = (await post({ name: 'first', filters: FILTERS })).body.id;
    await clock.advance(1_000);
    const second = (await post({ name: 'second', filters: {} })).body.id;
    const whole = { id: first, name: 'first', filters: FILTERS, created_at: NOW, ...WITHOUT_FEED };
    expect(await asked(`/presets/${first}`)).toMatchObject({ status: 200, body: whole });
    const { status, body } = await asked('/presets');
    expect([status, body]).toEqual([
      200,
      [
        whole,
        { id: second, name: 'second', filters: {}, created_at: '2026-11-03 02:00:01', ...WITHOUT_FEED },
      ],
    ]);
  });

  test('PUT replaces name and filters, and created_at when it is given', async () => {
    const { post, send, asked, secret, clock } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: FILTERS })).body;
    await clock.advance(60_000);
    const put = (body: unknown) => send('PUT', `/presets/${id}`, secret, body);
    const changed = { id, name: 'y', filters: { side: 'SELL' }, created_at: NOW, ...WITHOUT_FEED };
    expect(await put({ name: 'y', filters: { side: 'SELL' } })).toMatchObject({ status: 200, body: changed });
    expect((await asked(`/presets/${id}`)).body).toEqual(changed);
    const dated = { name: 'z', filters: {}, created_at: '2025-01-02 03:04:05' };
    expect((await put(dated)).body).toEqual({ id, ...dated, ...WITHOUT_FEED });
    expect(await put({ name: 'z' })).toMatchObject({
      status: 422,
      body: problem(['body', 'filters'], 'missing'),
    });
    expect((await asked(`/presets/${id}`)).body).toEqual({ id, ...dated, ...WITHOUT_FEED });
  });

  test('DELETE is a 204 without a body, whatever content type is named; then there is no such preset', async () => {
    const { post, send, get, baseUrl, secret } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: {} })).body;
    const { status, text } = await send('DELETE', `/presets/${id}`, secret);
    expect([status, text]).toEqual([204, '']);
    const gone = { status: 404, body: { detail: `Preset ${id} was not found.` } };
    expect(await send('DELETE', `/presets/${id}`, secret, '{{{')).toMatchObject(gone);
    expect(await get(`/presets/${id}`, secret)).toMatchObject(gone);
    expect(await get(`/alerts?preset=${id}`, secret)).toMatchObject(gone);
    const headers = { authorization: `Bearer ${secret}` };
    expect(await ask(`${baseUrl}/api/v1/presets/${id}`, { method: 'DELETE', headers })).toMatchObject(gone);
  });

  test('a preset of another key does not exist', async () => {
    const { post, issue, send, get, secret } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: FILTERS })).body;
    const other = (await issue({ tier: 'enterprise' })).secret;
    const detail = `Preset ${id} was not found.`;
    const replaced = await send('PUT', `/presets/${id}`, other, { name: 'mine', filters: {} });
    const removed = await send('DELETE', `/presets/${id}`, other);
    for (const answer of [
      replaced,
      removed,
      await get(`/presets/${id}`, other),
      await get(`/alerts?preset=${id}`, other),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { detail, code: 'preset_not_found' }]);
    }
    expect((await get('/presets', other)).body).toEqual([]);
    expect((await get(`/presets/${id}`, secret)).body).toMatchObject({ name: 'x', filters: FILTERS });
  });

  test('a key has at most 100 presets, however many are sent concurrently: 409 says so; a free place is used', async () => {
    const { post, asked, send, secret, issue } = await startWithKey('enterprise');
    const answers = await Promise.all(Array.from({ length: 120 }, () => post({ name: 'x', filters: {} })));
    const full = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(full).toHaveLength(20);
    expect(full[0]?.body.detail).toMatch(/at most 100 presets.*DELETE/);
    const presets = (await asked('/presets')).body;
    expect(presets).toHaveLength(100);
    expect((await send('POST', '/presets', (await issue()).secret, { name: 'x', filters: {} })).status).toBe(
      200,
    );
    await send('DELETE', `/presets/${presets[0].id}`, secret);
    expect((await post({ name: 'x', filters: {} })).status).toBe(200);
  });
});

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
    // A cursor says where the page begins.
    expect(await page('&before_id=7')).toMatchObject({ page: 1, alerts: [{ id: 6 }, { id: 5 }, { id: 4 }] });
    expect(await page('&page=1&page_size=20')).toMatchObject({ page: 1, page_size: 20, has_more: false });
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
});
