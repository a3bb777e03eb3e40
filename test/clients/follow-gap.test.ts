import { describe, expect, test } from 'vitest';
import { startStandIn } from '../support/stream-stand-in.ts';
import { alert, connected, follow, until } from './follow-fixture.ts';

describe('more than 10,000 missed alerts', () => {
  const archiveOf = (ids: readonly number[]) => (query: URLSearchParams) => {
    const [since, before] = [Number(query.get('since_id')), Number(query.get('before_id'))];
    const after = ids.filter((id) => id > since && id < before);
    const size = Number(query.get('page_size'));
    return { alerts: after.slice(0, size).map((id) => alert(id).data), has_more: after.length > size };
  };
  const idsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  test('are read from the archive, in order, before the alerts of the stream, and not requested again', async () => {
    const standIn = await startStandIn();
    standIn.archive = archiveOf(idsTo(300));
    const { got, statuses } = follow(standIn, { sinceId: 0 });
    const first = await connected(standIn);
    first.send({ type: 'gap', from: 1, to: 250 });
    for (const id of [251, 252]) first.send(alert(id));
    await until(() => got.length === 252);
    first.drop();
    expect((await connected(standIn)).query.get('since_id')).toBe('252');
    expect(got).toEqual(idsTo(252));
    expect(statuses).toContainEqual({ state: 'filling', from: 1, to: 250 });
    const pages = [0, 100, 200].map((id) => `since_id=${id}&before_id=251&expand=details&page_size=100`);
    expect(standIn.asked).toEqual(pages.map((query) => `/api/v1/alerts?${query}`));
  });

  test('a service that stops in the middle is waited for; nothing is lost or repeated', async () => {
    const standIn = await startStandIn();
    const archive = archiveOf(idsTo(300));
    let calls = 0;
    standIn.archive = (query) => {
      calls += 1;
      return calls === 2 ? null : archive(query);
    };
    const { got, waits } = follow(standIn, { sinceId: 10 });
    const first = await connected(standIn);
    first.send({ type: 'gap', from: 11, to: 250 });
    first.drop();
    await until(() => got.length === 240);
    const second = await connected(standIn);
    expect(second.query.get('since_id')).toBe('250');
    expect(got).toEqual(idsTo(250).slice(10));
    expect(waits).toHaveLength(2);
  });

  test('the archive applies the filters to them', async () => {
    const standIn = await startStandIn();
    standIn.archive = () => ({ alerts: [{ ...alert(3).data, category: 'world' as const }], has_more: false });
    const { got } = follow(standIn, {
      sinceId: 0,
      filters: { categories: ['world', 'tech'], min_signal: 7, side: 'BUY' },
    });
    (await connected(standIn)).send({ type: 'gap', from: 1, to: 3 });
    await until(() => got.length === 1);
    expect(got).toEqual([3]);
    expect(standIn.asked).toEqual([
      '/api/v1/alerts?min_signal=7&side=BUY&categories=world%2Ctech&since_id=0&before_id=4&expand=details&page_size=100',
    ]);
  });
});
