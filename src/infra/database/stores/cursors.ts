import type { Declaration, OpenCollection } from './collection.ts';

/** Named numbers: how far each outbox has come, and how often something was changed. */
const CURSORS: Declaration<{ readonly name: string; readonly alertId: number }> = {
  name: 'delivery_cursor',
  fields: { name: 'text', alertId: 'integer' },
  key: ['name'],
};

/** How far each outbox has come. A cursor never goes back; null before the first `advance`. */
export function createCursors(open: OpenCollection) {
  const cursors = open(CURSORS);
  return {
    read: async (name: string) => (await cursors.get(name))?.alertId ?? null,
    advance: async (name: string, alertId: number) =>
      void (await cursors.put({ name, alertId }, { alertId: { lt: alertId } })),
  };
}

/** The number of changes of a store, so that what is kept of it in memory is read again only after one. */
export function createChangeCount(open: OpenCollection, name: 'key_changes' | 'webhook_changes') {
  const counts = open(CURSORS);
  return {
    read: async () => (await counts.get(name))?.alertId ?? 0,
    /** The method, which counts once it has ended: also after a failure, as its outcome may be unknown. */
    counted:
      <Args extends readonly unknown[], Answer>(change: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        try {
          return await change(...args);
        } finally {
          await counts.increment('alertId', [], new Map([[name, 1]]));
        }
      },
  };
}
