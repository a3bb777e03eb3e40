import { startApi } from './api-server.ts';
import type { DeliveryParts } from './open-webhooks.ts';

export const URL_GIVEN = 'https://example.com/hook?for=me';

export async function startWithKey(parts: DeliveryParts = {}) {
  const api = await startApi({}, () => {}, parts);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return {
    ...api,
    secret,
    post: (body: unknown) => api.send('POST', '/webhooks', secret, body),
    list: async () => (await api.get('/webhooks', secret)).body,
  };
}

/** The same with one webhook registered; `path` is its own. */
export async function startWithWebhook(parts: DeliveryParts = {}, settings: object = {}) {
  const api = await startWithKey(parts);
  const { id, secret: signing } = (await api.post({ url: URL_GIVEN, ...settings })).body;
  const path = `/webhooks/${id}`;
  return {
    ...api,
    id: String(id),
    signing: String(signing),
    path,
    show: async () => (await api.get(path, api.secret)).body,
    patch: (body: unknown) => api.send('PATCH', path, api.secret, body),
    rotate: () => api.send('POST', `${path}/rotate-secret`, api.secret),
    test: () => api.send('POST', `${path}/test`, api.secret),
    log: async (query = '') => (await api.get(`${path}/deliveries${query}`, api.secret)).body,
  };
}
