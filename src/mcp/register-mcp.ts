import { KEY_IN_HEADER, offerApiKey } from '../http/hooks/api-key-auth.ts';
import { declareAudience } from '../http/hooks/audience.ts';
import { refuseForeignPages } from '../http/hooks/own-host.ts';
import type { Api, ServerDeps } from '../http/server-deps.ts';

/** `POST /mcp`: what the REST API says, as tools and resources of the Model Context Protocol. */
export async function registerMcp(scope: Api, deps: ServerDeps): Promise<void> {
  scope.decorateRequest('caller', null);
  declareAudience(scope, 'caller');
  scope.addHook('onRequest', refuseForeignPages(deps.ownHosts));
  scope.addHook('onRequest', offerApiKey(deps, KEY_IN_HEADER));
  // The protocol's library takes 40 ms and 12 MB: it is loaded by the first request.
  let loading: Promise<typeof import('./serve-mcp.ts')> | null = null;
  scope.post('/mcp', async (request, reply) => {
    loading ??= import('./serve-mcp.ts');
    const { serveMcp } = await loading;
    return serveMcp({ request, deps }, reply);
  });
}
