import type { WalletAge, WalletAgeStore } from '../../core/source/wallet-age-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export const WALLET_AGES: Declaration<WalletAge> = {
  name: 'wallet_ages',
  fields: { wallet: 'text', createdAt: 'integer', source: 'text' },
  key: ['wallet'],
};

export function createWalletAgeStore(open: OpenCollection): WalletAgeStore {
  const ages = open(WALLET_AGES);
  return {
    get: (wallet) => ages.get(wallet),
    put: async (age) => void (await ages.insertNew([age])),
  };
}
