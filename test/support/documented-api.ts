import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import { endpointsOf } from '../../src/http/documents/endpoints.ts';
import { ask, startApi } from './api-server.ts';

export async function startWithDocument(...given: Parameters<typeof startApi>) {
  const api = await startApi(...given);
  const document = (await ask(`${api.baseUrl}/api/v1/openapi.json`)).body as ApiDocument;
  const operations = endpointsOf(document.paths).map((each) => ({
    ...each,
    name: `${each.method} ${each.path}`,
  }));
  return { ...api, document, operations };
}
