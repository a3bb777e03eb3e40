import { expect, test } from 'vitest';
import type { WalletAge } from '../../../src/core/ports/wallet-age-store.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const AGE: WalletAge = { wallet: '0xaa', createdAt: START, source: 'join_date' };

onEachDatabase('wallet age store', (fixture) => {
  test('an age that was put is there for every process, exactly as it was', async () => {
    const { walletAges } = fixture.database;
    expect(await walletAges.get('0xaa')).toBeNull();

    await walletAges.put(AGE);
    await walletAges.put({ wallet: '0xbb', createdAt: START + 1, source: 'activity' });

    expect(await (await fixture.another()).walletAges.get('0xaa')).toStrictEqual(AGE);
    expect(await walletAges.get('0xbb')).toMatchObject({ createdAt: START + 1, source: 'activity' });
  });

  test('an age that is there stays, whoever reads another', async () => {
    const stores = [fixture.database.walletAges, (await fixture.another()).walletAges];
    await stores[0]?.put(AGE);

    await Promise.all(stores.map((store) => store.put({ ...AGE, createdAt: 5, source: 'profile' })));

    expect(await fixture.database.walletAges.get('0xaa')).toStrictEqual(AGE);
  });
});
