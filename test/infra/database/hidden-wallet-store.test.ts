import { expect, test } from 'vitest';
import { hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const HIDDEN = { wallet: '0xb', reason: 'asked for: “é” 😀', at: START };

onEachDatabase('hidden wallets', (fixture) => {
  test('a wallet is hidden once, with its first reason, until it is shown again', async () => {
    const { hiddenWallets } = fixture.database;
    expect(await hiddenWallets.add(HIDDEN)).toStrictEqual(HIDDEN);
    expect(await hiddenWallets.add({ ...HIDDEN, reason: null, at: START + 1 })).toStrictEqual(HIDDEN);
    await hiddenWallets.add({ wallet: '0xa', reason: null, at: START });

    const others = (await fixture.another()).hiddenWallets;
    expect(await others.list()).toStrictEqual([{ wallet: '0xa', reason: null, at: START }, HIDDEN]);
    expect(await others.remove('0xb')).toBe(true);
    expect(await others.remove('0xb')).toBe(false);
    expect([...(await hiddenAddresses(hiddenWallets))]).toEqual(['0xa']);
  });
});
