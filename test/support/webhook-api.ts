import { startApi } from './api-server.ts';

/** A target that is taken. */
export const URL_GIVEN = 'https://example.com/hook?for=me';

/** The API with a key that may register webhooks. */
export async function startWithKey() {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'enterprise' });
  return {
    ...api,
    secret,
    post: (body: unknown) => api.send('POST', '/webhooks', secret, body),
    list: async () => (await api.get('/webhooks', secret)).body,
  };
}
