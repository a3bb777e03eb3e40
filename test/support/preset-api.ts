import type { Tier } from '../../src/core/accounts/tier.ts';
import { startApi } from './api-server.ts';
import { START } from './rows.ts';

export const FILTERS = { category: 'crypto', side: 'BUY', min_signal: 70, note: 'kept', search: null };
export const NOW = '2026-11-03 02:00:00';

/** The API at `NOW`, with a key that saves presets and reads. */
export async function startWithKey(tier: Tier = 'free') {
  const api = await startApi();
  api.clock.set(Date.UTC(2026, 10, 3, 2) - START);
  const { id: keyId, secret } = await api.issue({ tier });
  return {
    ...api,
    secret,
    keyId,
    post: (body: unknown) => api.send('POST', '/presets', secret, body),
    asked: (path: string) => api.get(path, secret),
  };
}
