import type { Endpoint } from '../../http/documents/endpoints.ts';

/** A command that sends one request, to be run as it is with the key in the environment. */
export function curlExample({ method, path, operation }: Endpoint, publicUrl: string): string {
  const { parameters = [], requestBody, security } = operation;
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const body = requestBody?.content['application/json']?.example;
  const json = JSON.stringify(body, null, 2)?.replaceAll("'", String.raw`'\''`);
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${publicUrl}${filled}"`,
    ...(security?.length === 0 ? [] : ['-H "Authorization: Bearer $TIPOFF_API_KEY"']),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ].join(' \\\n  ');
}
