import type { createStores } from '../../../src/infra/database/stores/stores.ts';
import { exitOf, settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { INGEST_CALLS } from './ingest-calls.ts';
import { SMALL_CALLS } from './small-store-calls.ts';

type Stores = ReturnType<typeof createStores>;
type Call<Method> = Method extends (...args: infer Args) => unknown ? Readonly<Args> : never;

/** Arguments of a method, or what calls it, where one call does not reach each of its queries. */
export type Calls = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]:
      | Call<Stores[Store][Method]>
      | ((store: Stores[Store]) => Promise<unknown>);
  };
};

const RESOLUTION = settlementOf({ marketId: '0xm' });

/** Every method of every store that both databases share, with arguments that reach each of its queries. */
const CALLS: Calls = {
  ...SMALL_CALLS,
  ...INGEST_CALLS,
  exits: {
    after: [1, 10],
    append: (exits) => exits.append(exitOf({ number: 1 })),
    known: [['x:w:0xaa:1001:half']],
    last: async (exits) => {
      await exits.last();
      return exits.last(START);
    },
    ofThreads: [[1, 2], START],
    setLog: [1, { sequence: 1, hash: 'a' }],
  },
  settlements: {
    after: [1, 10],
    get: ['0xm'],
    lastSeq: [],
    newest: [10],
    put: [RESOLUTION],
    some: [['0xm']],
    totals: [],
  },
};

type AnyStore = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** Every method of `CALLS` by its name, for example `alerts.byId`. */
export const NAMED_CALLS = Object.entries(CALLS).flatMap(([store, methods]) =>
  Object.entries(
    methods as Readonly<Record<string, readonly unknown[] | ((store: AnyStore) => unknown)>>,
  ).map(([method, call]) => ({
    name: `${store}.${method}`,
    async run(stores: object) {
      const called = Reflect.get(stores, store) as AnyStore;
      await (typeof call === 'function' ? call(called) : called[method]?.(...call));
    },
  })),
);
