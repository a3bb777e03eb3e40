import type { HiddenWallet, HiddenWalletStore } from '../../../core/alerts/hidden-wallets.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const HIDDEN_WALLETS: Declaration<HiddenWallet> = {
  name: 'hidden_wallets',
  fields: { wallet: 'text', reason: 'text?', at: 'integer' },
  key: ['wallet'],
};

export function createHiddenWalletStore(open: OpenCollection): HiddenWalletStore {
  const hidden = open(HIDDEN_WALLETS);
  return {
    async add(row) {
      await hidden.insertNew([row]);
      return (await hidden.get(row.wallet)) ?? row;
    },
    remove: async (wallet) => (await hidden.delete({ wallet })) > 0,
    list: () => hidden.find({ sort: ['wallet'] }),
  };
}
