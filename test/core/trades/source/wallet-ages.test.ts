import { expect, test } from 'vitest';
import { AGE_SOURCES, type WalletAge } from '../../../../src/core/trades/source/wallet-ages.ts';
import { onSqlite } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';

const AGE: WalletAge = { wallet: '0xaa', createdAt: START, source: 'join_date' };

onSqlite('wallet ages', (fixture) => {
  test('the oldest age that was put is there for every process, exactly as it was', async () => {
    const { walletAges } = fixture.database;
    expect(await walletAges.get('0xaa')).toBeNull();

    await walletAges.put(AGE);
    await walletAges.put({ ...AGE, createdAt: START + 5, source: 'profile' });
    for (const source of AGE_SOURCES) await walletAges.put({ wallet: source, createdAt: START + 1, source });

    expect(await (await fixture.another()).walletAges.get('0xaa')).toStrictEqual(AGE);
    for (const source of AGE_SOURCES)
      expect(await walletAges.get(source)).toStrictEqual({ wallet: source, createdAt: START + 1, source });
    const older = { ...AGE, createdAt: START - 5, source: 'profile' } as const;
    await walletAges.put(older);
    expect(await walletAges.get('0xaa')).toStrictEqual(older);
  });
});
