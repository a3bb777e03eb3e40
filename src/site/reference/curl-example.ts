import type { Operation, Parameter } from '../../http/documents/openapi-types.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Optional parameters that an example has, the first two of them: what a first request is likely to want. */
const USUAL = ['period', 'category', 'min_signal', 'limit', 'page_size', 'expand'];
const SHOWN_MAX = 2;

/** A command that sends one request, to be run as it is with the key in the environment. */
export function curlExample({ method, path, operation }: Endpoint, publicUrl: string): string {
  const { parameters = [], requestBody, security } = operation;
  const shown = USUAL.flatMap((name) => parameters.filter((each) => each.name === name)).slice(0, SHOWN_MAX);
  const given = (place: string) =>
    parameters
      .filter((each) => each.in === place && (each.required === true || shown.includes(each)))
      .map((each): [string, string] => [each.name, String(exampleOf(each))]);
  const filled = given('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const search = new URLSearchParams(given('query'));
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
  const body = content?.['application/json']?.example;
  const json = JSON.stringify(body, null, 2)?.replaceAll("'", String.raw`'\''`);
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${publicUrl}${filled}${search.size > 0 ? `?${search}` : ''}"`,
    ...(security?.length === 0 ? [] : ['-H "Authorization: Bearer $TIPOFF_API_KEY"']),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ].join(' \\\n  ');
}

function exampleOf({ example }: Parameter): unknown {
  return example;
}
