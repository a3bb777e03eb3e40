import { expect, test } from 'vitest';
import { AGE_SOURCES, type WalletAge } from '../../../src/core/trades/source/facts-sources.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const AGE: WalletAge = { wallet: '0xaa', createdAt: START, source: 'join_date' };

onEachDatabase('wallet age store', (fixture) => {
  test('an age that was put is there for every process, exactly as it was', async () => {
    const { walletAges } = fixture.database;
    expect(await walletAges.get('0xaa')).toBeNull();

    await walletAges.put(AGE);
    for (const source of AGE_SOURCES) await walletAges.put({ wallet: source, createdAt: START + 1, source });

    expect(await (await fixture.another()).walletAges.get('0xaa')).toStrictEqual(AGE);
    for (const source of AGE_SOURCES)
      expect(await walletAges.get(source)).toStrictEqual({ wallet: source, createdAt: START + 1, source });
  });

  test('a stored age stays, also when another process reads another', async () => {
    const stores = [fixture.database.walletAges, (await fixture.another()).walletAges];
    await stores[0]?.put(AGE);

    await Promise.all(stores.map((store) => store.put({ ...AGE, createdAt: 5, source: 'profile' })));

    expect(await fixture.database.walletAges.get('0xaa')).toStrictEqual(AGE);
  });
});
