import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { ask, startApi } from './api-server.ts';

export async function startWithDocument(...given: Parameters<typeof startApi>) {
  const api = await startApi(...given);
  const document = (await ask(`${api.baseUrl}/api/v1/openapi.json`)).body as ApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      method,
      path,
      operation,
    })),
  );
  return { ...api, document, operations };
}
