import { parseJsonFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { startWithKey } from '../support/preset-api.ts';
import { START } from '../support/rows.ts';

const GONE = {
  status: 404,
  body: {
    detail: 'There is no feed with this token: its owner may have renewed or ended it.',
    code: 'preset_not_found',
  },
};

async function startWithPreset(filters: object = { category: 'crypto', note: 'mine' }) {
  const api = await startWithKey();
  for (const id of [1, 2, 3, 4])
    await api.append(
      alertOf({ id, score: id * 10, category: id % 2 === 0 ? 'crypto' : 'tech', createdAt: START }),
    );
  await api.clock.jump(FREE_DELAY_MS);
  const { id } = (await api.post({ name: 'a private name', filters })).body;
  const renew = async () => (await api.send('POST', `/presets/${id}/feed`, api.secret)).body;
  return {
    ...api,
    id,
    renew,
    end: () => api.send('DELETE', `/presets/${id}/feed`, api.secret),
    feed: (token: string, query = '', headers = {}) =>
      ask(`${api.baseUrl}/feed.json?preset=${token}${query}`, { headers }),
    ids: (text: string) => parseJsonFeed(text).items?.map(({ id }) => Number(id?.split(':')[3])),
  };
}

describe('the feed of a preset', () => {
  test('is opened by its token, without a key, and has what the preset finds; the query has precedence', async () => {
    const { renew, feed, ids, get, secret, id, database, keyId } = await startWithPreset();
    const shown = await renew();
    expect(shown).toEqual({
      id,
      feed_token: expect.stringMatching(/^[\w-]{22}$/),
      feed_url: `https://api.example.com/feed.xml?preset=${shown.feed_token}`,
    });
    // Whoever reads the key's presets, the database or a backup of it cannot open the feed.
    const preset = await get(`/presets/${id}`, secret);
    const listed = await get('/presets', secret);
    expect([preset.body.has_feed, listed.body[0].has_feed]).toEqual([true, true]);
    const stored = await database.presets.listByKey(keyId);
    for (const readable of [preset.text, listed.text, JSON.stringify(stored)])
      expect(readable).not.toContain(shown.feed_token);
    expect((await feed(stored[0]?.feedHash ?? '')).status).toBe(404);
    const { status, text, headers } = await feed(shown.feed_token);
    expect([status, ids(text), headers.get('cache-control')]).toEqual([200, [4, 2], 'private, no-cache']);
    expect(ids((await feed(shown.feed_token, '&min_signal=30')).text)).toEqual([4]);
    expect(ids((await feed(shown.feed_token, '&category=tech')).text)).toEqual([3, 1]);
    expect(parseJsonFeed(text)).toMatchObject({
      title: 'Tipoff alerts: crypto',
      feed_url: `https://api.example.com/feed.json?preset=${shown.feed_token}`,
    });
    expect(text).not.toContain('private');
  });

  test('a renewed token ends the former one at once, for those as well who have the feed', async () => {
    const { renew, feed } = await startWithPreset();
    const first = (await renew()).feed_token;
    const { headers } = await feed(first);
    const second = (await renew()).feed_token;
    expect(second).not.toBe(first);
    expect(await feed(first)).toMatchObject(GONE);
    expect(await feed(first, '', { 'if-none-match': headers.get('etag') })).toMatchObject(GONE);
    expect((await feed(second)).status).toBe(200);
  });

  test('DELETE ends it, and so does the end of the preset; a made-up token opens nothing', async () => {
    const { renew, end, feed, send, secret, id, get } = await startWithPreset();
    const { feed_token: first } = await renew();
    expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
    expect(await feed(first)).toMatchObject(GONE);
    expect((await get(`/presets/${id}`, secret)).body).toMatchObject({ has_feed: false });
    const { feed_token: second } = await renew();
    await send('DELETE', `/presets/${id}`, secret);
    expect(await feed(second)).toMatchObject(GONE);
    for (const token of [id, 'null', 'x'.repeat(22)]) expect(await feed(token)).toMatchObject(GONE);
  });

  test('ends with its key, which alone could end it', async () => {
    const { renew, feed, database, keyId } = await startWithPreset();
    const { feed_token: token } = await renew();
    expect((await feed(token)).status).toBe(200);
    await database.keys.revoke(keyId, START);
    expect(await feed(token)).toMatchObject(GONE);
  });
});
