import type { ApiKey } from '../../core/keys/api-key.ts';
import type { Declaration } from './declaration.ts';

const HELD = { customerId: { present: true } } as const;

export const KEYS: Declaration<ApiKey> = {
  name: 'api_keys',
  fields: {
    id: 'text',
    lookup: 'text',
    hash: 'text',
    name: 'text',
    tier: 'text',
    createdAt: 'integer',
    trialEndsAt: 'integer?',
    revokedAt: 'integer?',
    customerId: 'text?',
    handover: { request: 'text', isShown: 'boolean' },
    previous: { lookup: 'text', hash: 'text', endsAt: 'integer' },
    limits: 'value?',
    firstUsedAt: 'integer?',
  },
  columns: { 'handover.request': 'request', 'handover.isShown': 'is_shown' },
  key: ['id'],
  unique: ['lookup'],
  sqliteIndexes: {
    api_keys_by_request: {
      fields: ['handover.request'],
      isUnique: true,
      where: { 'handover.request': { present: true } },
    },
    api_keys_by_former_secret: {
      fields: ['previous.lookup'],
      isUnique: true,
      where: { 'previous.lookup': { present: true } },
    },
    api_keys_by_customer: { fields: ['customerId', 'createdAt', 'id'], where: HELD },
    api_keys_in_trial: { fields: ['trialEndsAt', 'id'], where: { tier: 'pro', revokedAt: null } },
  },
};
