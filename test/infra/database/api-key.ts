import { type ApiKey, PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import { START } from '../../support/rows.ts';

export function keyOf(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_aaaaaaaaaaaaaaaa',
    lookup: 'abcdefghij',
    hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    name: 'desk',
    tier: 'pro',
    createdAt: START,
    trialEndsAt: START + 1,
    revokedAt: null,
    ...PLAIN_KEY,
    ...given,
  };
}
