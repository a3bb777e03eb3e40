import type { DeliveryStore } from '../../../../src/core/delivery/webhooks/delivery-store.ts';

/** A store that can be cut off; what is asked then fails before or after it took effect. */
export function fragile(store: DeliveryStore) {
  let mode: 'well' | 'away' | 'mute' = 'well';
  const wrap =
    <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (mode === 'away') throw new Error('away');
      const answer = await call(...args);
      if (mode === 'mute') throw new Error('mute');
      return answer;
    };
  return {
    deliveries: { ...store, claim: wrap(store.claim), finish: wrap(store.finish), add: wrap(store.add) },
    set: (next: typeof mode) => {
      mode = next;
    },
  };
}
