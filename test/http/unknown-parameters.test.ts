import { describe, expect, test } from 'vitest';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { startWithKey } from '../support/preset-api.ts';

const HEADER = 'x-unknown-parameters';

const named = ({ headers }: { readonly headers: Headers }) => headers.get(HEADER);

describe('design: “unknown names are ignored and listed in the header `X-Unknown-Parameters`, on every route”', () => {
  test('every route but the stream lists the names that its document does not, whatever it answers', async () => {
    const { app, baseUrl, operations, issue } = await startWithDocument({ publicRequestsPerMinute: null });
    const { secret } = await issue({ tier: 'enterprise' });
    const { secret: pro } = await issue({ tier: 'pro' });
    const authorizations = [`Bearer ${secret}`, `Bearer ${pro}`, 'Bearer sk_live_wrong'];
    const routes = app.routeTable.filter(({ url }) => url !== '/ws/alerts');
    expect(routes.length).toBeGreaterThan(40);
    const statuses = new Set<number>();
    for (const { method, url } of routes) {
      const documented = url.replaceAll(/:(\w+)/g, '{$1}');
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
      const { operation } =
        operations.find(({ path, method: name }) => path === documented && name === verb) ?? {};
      const known = (operation?.parameters ?? []).filter(({ in: place }) => place === 'query');
      const query = known.map(({ name }) => `${name}=1`).join('&');
      const asked = async (more: string, authorization: string) => {
        const address = `${baseUrl}${url.replaceAll(/:\w+/g, '1')}?${query}${more}`;
        const answer = await ask(address, { method, headers: { authorization } });
        statuses.add(answer.status);
        return named(answer);
      };
      for (const authorization of authorizations) {
        const place = `${method} ${url}`;
        expect.soft([place, await asked('', authorization)]).toEqual([place, null]);
        const expected = 'nonsense, caf%C3%A9';
        expect.soft([place, await asked('&nonsense=1&caf%C3%A9', authorization)]).toEqual([place, expected]);
      }
    }
    // The stream lists them in its first frame.
    expect(named(await ask(`${baseUrl}/ws/alerts?nonsense=1`))).toBeNull();
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 403, 404, 422]));
  });

  test('the header is bounded, and holds nothing but names in their encoded form', async () => {
    const { get, issue } = await startWithDocument();
    const { secret } = await issue();
    const list = async (...names: readonly string[]) =>
      named(await get(`/me?${names.map((name) => `${encodeURIComponent(name)}=1`).join('&')}`, secret));
    expect(await list('a\r\nset-cookie: x', 'b, c')).toBe('a%0D%0Aset-cookie%3A%20x, b%2C%20c');
    expect(await list('', 'twice', 'twice')).toBe('twice');
    expect(await list('')).toBeNull();
    const many = Array.from({ length: 30 }, (_, index) => `name${index}`);
    expect((await list(...many))?.split(', ')).toEqual(many.slice(0, 20));
    expect(await list('x'.repeat(500))).toBe('x'.repeat(64));
    const wide = await list(...Array.from({ length: 20 }, (_, index) => `${index}${'\u{20ac}'.repeat(60)}`));
    expect(wide?.length).toBeLessThanOrEqual(2_048);
    expect(wide?.split(', ').map((name) => decodeURIComponent(name).length)).toEqual([61, 61, 61]);
  });
});

describe('presets: “unknown names are kept but unused, and named in `X-Unknown-Parameters` when the preset is saved and when it is applied”', () => {
  const filters = { direction: 'SELL', min_score: 90, 'größe, €': null, min_signal: 1, side: null };
  const unknown = 'direction, min_score, gr%C3%B6%C3%9Fe%2C%20%E2%82%AC';

  test('are named when the preset is saved, and by GET /alerts and /alerts/preview when it is applied', async () => {
    const { post, asked } = await startWithKey();
    const saved = await post({ name: 'x', filters });
    expect(named(saved)).toBe(unknown);
    const { id } = saved.body;
    for (const path of ['/alerts', '/alerts/preview']) {
      expect([path, named(await asked(`${path}?preset=${id}`))]).toEqual([path, unknown]);
      expect(named(await asked(`${path}?preset=${id}&nonsense=1`))).toBe(`nonsense, ${unknown}`);
      expect(named(await asked(`${path}?preset=preset_nothing`))).toBeNull();
    }
  });
});
