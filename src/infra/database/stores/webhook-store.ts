import { createHash } from 'node:crypto';
import type { Preset, PresetStore } from '../../../core/accounts/presets/preset.ts';
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

const HAS_FEED = { feedHash: { present: true } } as const;

const PRESETS: Declaration<Preset> = {
  name: 'presets',
  fields: {
    id: 'text',
    keyId: 'text',
    name: 'text',
    filters: 'json',
    createdAt: 'integer',
    feedHash: 'text?',
  },
  key: ['id'],
  cap: { by: 'keyId' },
  indexes: {
    presets_by_key: { fields: ['keyId', 'createdAt', 'id'] },
    presets_by_feed: { fields: ['feedHash'], isUnique: true, where: HAS_FEED },
  },
};

export function createPresetStore(open: OpenCollection): PresetStore {
  const presets = open(PRESETS);
  return {
    async insert(preset, cap) {
      const result = await presets.insertWithin(preset, cap);
      if (result === 'taken') throw new Error(`${preset.id} is taken`);
      return result === 'inserted';
    },
    listByKey: (keyId) => presets.find({ where: { keyId }, sort: ['createdAt', 'id'] }),
    get: async (keyId, id) => (await presets.find({ where: { id, keyId } }))[0] ?? null,
    byFeedToken: async (token) =>
      (await presets.find({ where: { feedHash: hashOf(token), and: [HAS_FEED] } }))[0] ?? null,
    replace: async ({ id, keyId, feedHash: _kept, ...set }) =>
      (await presets.update({ id, keyId }, { set })) === 1,
    setFeedToken: async (keyId, id, token) =>
      (await presets.update({ id, keyId }, { set: { feedHash: token && hashOf(token) } })) === 1,
    remove: async (keyId, id) => (await presets.delete({ id, keyId })) === 1,
  };
}

/** A token is random, so that a fast hash is enough: who reads the database or a backup cannot open the feeds. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
