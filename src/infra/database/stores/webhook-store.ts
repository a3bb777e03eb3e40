import type { Webhook, WebhookCounts, WebhookStore } from '../../../core/delivery/webhooks/webhook.ts';
import type { Change, Declaration, OpenCollection } from './collection.ts';

export const WEBHOOKS: Declaration<Webhook> = {
  name: 'webhooks',
  fields: {
    id: 'text',
    keyId: 'text',
    url: 'text',
    format: 'text',
    categories: 'words?',
    minScore: 'integer?',
    filters: 'json?',
    events: 'words?',
    secretVersion: 'integer',
    rotatedAt: 'integer?',
    isPaused: 'boolean',
    createdAt: 'integer',
    delivered: 'integer',
    failed: 'integer',
    failuresInRow: 'integer',
  },
  key: ['id'],
  cap: { by: 'keyId' },
  indexes: {
    webhooks_by_key: { fields: ['keyId', 'createdAt', 'id'] },
    webhooks_by_url: { fields: ['keyId', 'url'], isUnique: true },
  },
};

export function createWebhookStore(open: OpenCollection): WebhookStore {
  const webhooks = open(WEBHOOKS);
  const byIds: WebhookStore['byIds'] = (ids) => webhooks.find({ where: { id: { in: ids } } });
  const insert: WebhookStore['insert'] = async (webhook, cap) => {
    const { id, keyId, url } = webhook;
    const result = await webhooks.insertWithin(webhook, cap);
    if (result === 'inserted') return { ok: true };
    const [holder] = await webhooks.find({ where: { keyId, url } });
    if (holder !== undefined) return { ok: false, reason: 'url_taken', id: holder.id };
    if (result === 'too_many') return { ok: false, reason: 'too_many' };
    if ((await byIds([id])).length > 0) throw new Error(`${id} is taken`);
    // The webhook that had the URL was removed in between.
    return insert(webhook, cap);
  };
  const change = async (keyId: string, id: string, { set = {}, add = {} }: Change<Webhook>) => {
    if (Object.keys({ ...set, ...add }).length > 0) await webhooks.update({ id, keyId }, { set, add });
    return (await webhooks.find({ where: { id, keyId } }))[0] ?? null;
  };
  return {
    insert,
    listByKey: (keyId) => webhooks.find({ where: { keyId }, sort: ['createdAt', 'id'] }),
    active: () => webhooks.find({ where: { isPaused: false } }),
    byIds,
    update: (keyId, id, set) => change(keyId, id, { set }),
    rotate: (keyId, id, rotatedAt) => change(keyId, id, { set: { rotatedAt }, add: { secretVersion: 1 } }),
    async addCounts(counts) {
      if (counts.length === 0) return [];
      await webhooks.updateEach(counts.map(toUpdate));
      const failing = counts.filter(({ failuresAtEnd }) => failuresAtEnd > 0);
      return failing.length === 0 ? [] : byIds(failing.map(({ id }) => id));
    },
    remove: async (keyId, id) => (await webhooks.delete({ id, keyId })) === 1,
  };
}

function toUpdate({ id, delivered, failed, failuresAtEnd }: WebhookCounts) {
  const add = { delivered, failed };
  const change =
    delivered > 0
      ? { add, set: { failuresInRow: failuresAtEnd } }
      : { add: { ...add, failuresInRow: failuresAtEnd } };
  return { where: { id }, change };
}
