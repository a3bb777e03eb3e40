import type { Declaration, OpenCollection } from './collection.ts';

/** How far each outbox has come. */
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
