import {
  type BlindWindow,
  type CoverageStore,
  type FeedPosition,
  UNSETTLED_WINDOWS_MAX,
} from '../../../core/trades/coverage/blind-window.ts';
import type { WalletAge, WalletAgeStore } from '../../../core/trades/source/facts-sources.ts';
import type { Declaration, OpenCollection, Sort } from './collection.ts';

const UNSETTLED = { or: [{ endedAt: null }, { backfilledAt: null }] };

export const BLIND_WINDOWS: Declaration<BlindWindow> = {
  name: 'blind_windows',
  fields: {
    id: 'text',
    startedAt: 'integer',
    endedAt: 'integer?',
    cause: 'text',
    backfilledAt: 'integer?',
  },
  key: ['id'],
  indexes: {
    blind_windows_by_start: { fields: ['startedAt', 'id'] },
    blind_windows_unsettled: { fields: ['startedAt', 'id'], where: UNSETTLED, on: 'sqlite' },
  },
};

export const FEED_POSITIONS: Declaration<FeedPosition & { readonly name: string }> = {
  name: 'feed_position',
  fields: { name: 'text', since: 'integer', confirmedUntil: 'integer', oldestWaiting: 'integer?' },
  key: ['name'],
};

const POSITION = 'polymarket';
const NEWEST_FIRST: Sort<BlindWindow> = ['-startedAt', '-id'];

export function createCoverageStore(open: OpenCollection): CoverageStore {
  const windows = open(BLIND_WINDOWS);
  const positions = open(FEED_POSITIONS);
  return {
    putWindow: async (window) => void (await windows.put(window)),
    windows: ({ since, until, limit }) => {
      const where = { startedAt: { lte: until }, or: [{ endedAt: null }, { endedAt: { gte: since } }] };
      return windows.find({ where, sort: NEWEST_FIRST, limit });
    },
    unsettled: (since) => {
      const where = { ...UNSETTLED, and: [{ or: [{ startedAt: { gte: since } }, { endedAt: null }] }] };
      return windows.find({ where, sort: NEWEST_FIRST, limit: UNSETTLED_WINDOWS_MAX });
    },
    async readPosition() {
      const found = await positions.get(POSITION);
      if (found === null) return null;
      const { name, ...position } = found;
      return position;
    },
    writePosition: async (position) => void (await positions.put({ name: POSITION, ...position })),
  };
}

const WALLET_AGES: Declaration<WalletAge> = {
  name: 'wallet_ages',
  fields: { wallet: 'text', createdAt: 'integer', source: 'text' },
  key: ['wallet'],
  isClustered: true,
};

export function createWalletAgeStore(open: OpenCollection): WalletAgeStore {
  const ages = open(WALLET_AGES);
  return {
    get: (wallet) => ages.get(wallet),
    put: async (age) => void (await ages.put(age, { createdAt: { gt: age.createdAt } })),
  };
}
