import { expect, test } from 'vitest';
import { exitOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('exit store', (fixture) => {
  const hour = 3_600_000;
  const plain = exitOf({ number: 1 });
  const stored = [
    plain,
    exitOf({ number: 2, threadId: 4, alertIds: [4, 9], marketId: '0xm2', createdAt: plain.createdAt + hour }),
    exitOf({
      ...{ number: 3, corrects: 1, kind: 'cashed_out', level: 'out', isCluster: true, sameSaleAs: 2 },
      ...{ salePrice: null, profitUsdc: null, endsAt: 1_700_000_000_000, members: { total: 3, out: 2 } },
      ...{ isHistory: true, createdAt: plain.createdAt + 2 * hour },
    }),
  ];

  test('gives exits as they were written: by number, by thread, by market, and as far as they were created', async () => {
    const { exits } = fixture.database;
    expect(await exits.append(...stored)).toBe('appended');
    const [first, second, third] = stored;
    const until = plain.createdAt + hour;

    expect(await exits.after(0, 10)).toStrictEqual(stored);
    expect(await exits.last(until)).toStrictEqual(second);
    expect(await exits.byNumber(3)).toStrictEqual(third);
    expect(await exits.after(0, 10, { marketId: '0xm1' })).toStrictEqual([first, third]);
    const keys = stored.slice(1).map(({ key }) => key);
    expect([...(await exits.numbersOf([...keys, 'x']))].toSorted((a, b) => a[1] - b[1])).toEqual(
      keys.map((key, index) => [key, index + 2]),
    );
  });

  test('takes neither a number nor a key twice', async () => {
    const { exits } = fixture.database;
    await exits.append(plain);
    expect(await exits.append(exitOf({ number: 1, key: 'another' }))).toBe('taken');
    expect(await exits.append(exitOf({ number: 2, key: plain.key }))).toBe('taken');
    expect(await exits.after(0, 10)).toStrictEqual([plain]);
  });

  test('gives an exit another position in the log', async () => {
    const { exits } = fixture.database;
    await exits.append(plain);
    const log = { sequence: 9, hash: 'b'.repeat(64) };
    await exits.setLog(1, log);
    expect(await exits.byNumber(1)).toStrictEqual({ ...plain, log });
  });
});
