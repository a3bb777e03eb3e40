import { describe, expect, expectTypeOf, test } from 'vitest';
import { createTipoff, type Schemas, TipoffError } from '../../clients/typescript/src/index.ts';

interface Asked {
  readonly url: string;
  readonly key: string | null;
}

const page = (ids: readonly number[], link?: string) =>
  Response.json({ alerts: ids.map((id) => ({ id })) }, { headers: link === undefined ? {} : { link } });
const unavailable = () => Response.json({ detail: 'Down.' }, { status: 503 });

/** A client whose requests get these answers in turn. */
function clientOf(answers: readonly Response[]) {
  const asked: Asked[] = [];
  const tipoff = createTipoff({
    url: 'https://host',
    apiKey: 'sk_live_x',
    fetch: async (url, init) => {
      init?.signal?.throwIfAborted();
      asked.push({ url: String(url), key: new Headers(init?.headers).get('authorization') });
      return answers[asked.length - 1] as Response;
    },
    wait: async () => {},
  });
  return { tipoff, asked };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const NEXT = '</api/v1/alerts?min_signal=60&before_id=8>; rel="next"';

describe('a list', () => {
  test('gives the items of all pages, and asks for the largest pages unless told otherwise', async () => {
    const { tipoff, asked } = clientOf([
      page([9, 8], `</x>; rel="first", ${NEXT}`),
      page([7], '</x>; rel="prev"'),
    ]);
    const items = await all(tipoff.iterAlerts({ min_signal: 60 }));
    expectTypeOf(items).toEqualTypeOf<readonly Schemas['AlertItem'][]>();
    expect(items.map(({ id }) => id)).toEqual([9, 8, 7]);
    expect(asked.map(({ url }) => url)).toEqual([
      'https://host/api/v1/alerts?page=1&page_size=100&min_signal=60',
      'https://host/api/v1/alerts?min_signal=60&before_id=8',
    ]);
    const small = clientOf([page([])]);
    await all(small.tipoff.iterWalletAlerts({ address: 'a/b', page_size: 5 }));
    expect(small.asked[0]?.url).toBe('https://host/api/v1/wallets/a%2Fb?page_size=5');
  });

  test('asks for a page when its first item is wanted', async () => {
    const { tipoff, asked } = clientOf([page([9, 8], NEXT), page([7])]);
    for await (const { id } of tipoff.iterAlerts()) if (id === 8) break;
    expect(asked).toHaveLength(1);
  });

  test('repeats a page after an outage, and throws a refusal', async () => {
    const refused = Response.json({ detail: 'No.', code: 'invalid_api_key' }, { status: 401 });
    const { tipoff } = clientOf([page([9], NEXT), unavailable(), page([8], NEXT), refused]);
    const seen: number[] = [];
    const reading = async () => {
      for await (const { id } of tipoff.iterAlerts()) seen.push(id);
    };
    await expect(reading()).rejects.toThrow(TipoffError);
    expect(seen).toEqual([9, 8]);
  });

  test('sends the key to no other host, wherever the link of a page leads', async () => {
    for (const link of [
      'https://evil.example/a?b=1',
      '/x/..//a?b=1',
      'https://x///a?b=1',
      '//evil.example/a?b=1',
    ]) {
      const { tipoff, asked } = clientOf([page([9], `<${link}>; rel=next`), page([8])]);
      await all(tipoff.iterAlerts());
      expect(asked[1]).toEqual({ url: 'https://host/a?b=1', key: 'Bearer sk_live_x' });
    }
  });

  test('ends with the reason of a signal that was aborted', async () => {
    const stop = new AbortController();
    const { tipoff } = clientOf([page([9], NEXT), page([8])]);
    const reading = async () => {
      for await (const _ of tipoff.iterAlerts({}, { signal: stop.signal })) stop.abort(new Error('enough'));
    };
    await expect(reading()).rejects.toThrow('enough');
  });
});
