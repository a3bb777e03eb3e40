import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../src/http/documents/openapi-types.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';

const exampleOf = ({ example, examples }: Parameter) => String(example ?? examples?.['example']?.value);

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly body: unknown;
}

function requestOf({ path, method, parameters, body }: Sent): [string, RequestInit] {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const query = new URLSearchParams(of('query').map((one): [string, string] => [one.name, exampleOf(one)]));
  const filled = of('path').reduce(
    (text, one) => text.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one))),
    path,
  );
  const headers = Object.fromEntries(of('header').map((one) => [one.name, exampleOf(one)]));
  const json = { 'content-type': 'application/json' };
  return [
    `${filled}?${query}`,
    {
      method: method.toUpperCase(),
      headers: { ...headers, ...(body !== undefined && json) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  ];
}

async function startWithPatterns() {
  const api = await startWithDocument({ publicRequestsPerMinute: null });
  const patternOf = (path: string, name: string) => {
    const { parameters = [] } = api.document.paths[`/api/v1${path}`]?.['get'] ?? {};
    return String(parameters.find((parameter) => parameter.name === name)?.schema['pattern']);
  };
  return { ...api, patternOf };
}

describe('the document can be taken at its word', () => {
  test('no example is refused: each parameter of each operation alone, all together, and each body', async () => {
    const { baseUrl, operations, issue } = await startWithDocument({ publicRequestsPerMinute: null });
    const { secret } = await issue({ tier: 'enterprise' });
    let sent = 0;
    for (const { name, method, path, operation } of operations) {
      const { parameters = [], requestBody } = operation;
      const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
      const body = content?.['application/json']?.example;
      expect(body !== undefined, `${name} has an example of its body`).toBe(requestBody !== undefined);
      const needed = parameters.filter(({ required }) => required === true);
      const optional = parameters.filter(({ required }) => required !== true);
      for (const chosen of [[], optional, ...optional.map((one) => [one])]) {
        const [address, init] = requestOf({ path, method, parameters: [...needed, ...chosen], body });
        const headers = { ...init.headers, authorization: `Bearer ${secret}` };
        const { status, text } = await ask(baseUrl + address, { ...init, headers });
        expect
          .soft([name, address, [400, 415, 422].includes(status) && text])
          .toEqual([name, address, false]);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(60);
  });

  test('the pattern of times knows the days of each month', async () => {
    const { patternOf } = await startWithPatterns();
    const pattern = patternOf('/alerts', 'since');
    const isMoment = (text: string) => new RegExp(pattern).test(text);
    for (const day of ['2024-02-29', '2000-02-29', '2025-02-28', '2025-12-31', '2025-11-30'])
      expect([day, isMoment(`${day} 23:59:59`), isMoment(`${day}T00:00:00.123Z`)]).toEqual([day, true, true]);
    for (const day of ['2025-02-29', '1900-02-29', '2025-02-30', '2025-11-31', '2025-13-01', '2025-00-01'])
      expect([day, isMoment(`${day} 00:00:00`)]).toEqual([day, false]);
  });
});
