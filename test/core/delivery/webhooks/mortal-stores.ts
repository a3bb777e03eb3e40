import type { Database } from '../../../../src/core/database.ts';

const STORES = ['deliveries', 'webhooks', 'keys', 'heartbeats', 'chat'] as const;

/** The stores of a process that can be killed: from then on no call has an effect or an answer. */
export function mortal(database: Database) {
  let callsLeft = Number.POSITIVE_INFINITY;
  const never = new Promise<never>(() => {});
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          if (callsLeft <= 0) return never;
          callsLeft -= 1;
          const isLast = callsLeft === 0;
          const answer: unknown = await method.apply(target, args);
          return isLast ? never : answer;
        };
      },
    });
  return {
    stores: {
      ...Object.fromEntries(STORES.map((name) => [name, wrap(database[name])])),
      lease: (name: 'fan-out') => wrap(database.lease(name)),
    },
    /** The last of so many more calls takes effect without an answer. */
    killAfter(calls: number) {
      callsLeft = calls;
    },
    isDead: () => callsLeft === 0,
  };
}
