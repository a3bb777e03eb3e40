import { describe, expect, test } from 'vitest';
import { API_TAGS } from '../../src/http/documents/api-info.ts';
import { tagPath } from '../../src/http/documents/endpoints.ts';
import { curlExample } from '../../src/site/reference/curl-example.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { startSite } from '../support/site.ts';

const PATHS = ['/docs', ...API_TAGS.map(({ name }) => tagPath(name))];

/** The pages of the reference, by path. */
async function readPages(page: (path: string) => Promise<{ readonly text: string }>) {
  const texts = await Promise.all(PATHS.map(async (path) => [path, (await page(path)).text] as const));
  return new Map(texts);
}

const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

/** The part of a page that an operation has. */
function partOf(page: string, operationId: string): string {
  const [, part = ''] = page.split(`<section class="operation" id="${operationId}"`);
  return part.split('</section>')[0] ?? '';
}

describe('the API reference', () => {
  test('has every operation with its parameters, and every field of the document', async () => {
    const { page, baseUrl } = await startSite();
    const document = (await ask(`${baseUrl}/api/v1/openapi.json`)).body;
    const pages = await readPages(page);
    const all = [...pages.values()].join('\n');
    const operations = [document.paths, document.webhooks].flatMap((paths) =>
      Object.values(paths).flatMap((methods) => Object.values(methods as object)),
    );
    expect(operations.length).toBeGreaterThan(20);
    for (const { operationId, tags, parameters = [] } of operations) {
      const own = partOf(pages.get(`/docs/${tags[0].toLowerCase()}`) ?? '', operationId);
      for (const { name } of parameters)
        expect(own, `${operationId} ${name}`).toContain(`<code>${name}</code>`);
    }
    const schemas = Object.entries<{ properties?: object }>(document.components.schemas);
    for (const [name, { properties = {} }] of schemas) {
      const [, list = ''] = all.split(`<dl class="fields" id="${name}">`);
      for (const field of Object.keys(properties))
        expect(list, `${name}.${field}`).toContain(`<code>${field}</code>`);
    }
  });

  test('links to operations, objects and error codes that are there, and names each once on a page', async () => {
    const { page } = await startSite();
    const pages = await readPages(page);
    pages.set('/docs/errors', (await page('/docs/errors')).text);
    let count = 0;
    for (const [path, text] of pages) {
      const ids = idsOf(text);
      expect(ids.length, path).toBe(new Set(ids).size);
      for (const [, to = '', id = ''] of text.matchAll(/href="([^"#]*)#([^"]+)"/g)) {
        count += 1;
        expect.soft(idsOf(pages.get(to || path) ?? ''), `${path}: ${to}#${id}`).toContain(id);
      }
    }
    expect(count).toBeGreaterThan(300);
  });
});

/** The request that a command sends. */
function requestOf(command: string, key: string): Parameters<typeof fetch> {
  const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? [];
  const [, url = ''] = /"(http[^"]*)"/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H "(\S+): ([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replace('$TIPOFF_API_KEY', key),
  ]);
  const [, body = null] = /-d '(.*)'$/s.exec(command) ?? [];
  return [url, { method, headers: Object.fromEntries(headers), body }];
}

test('the examples, sent as they are copied, are answered, or refused because what they name is not there', async () => {
  const { operations, baseUrl, issue } = await startWithDocument({ publicRequestsPerMinute: null });
  const { secret } = await issue({ tier: 'enterprise' });
  const refused: string[] = [];
  for (const call of operations) {
    const answer = await fetch(...requestOf(curlExample(call, baseUrl), secret));
    if (answer.ok) {
      await answer.body?.cancel();
      continue;
    }
    const { code } = (await answer.json()) as { code: string };
    expect.soft(code, call.name).not.toBe('invalid_request');
    expect.soft(Object.keys(call.operation.responses), call.name).toContain(String(answer.status));
    refused.push(code);
  }
  const known = ['alert', 'wallet', 'market', 'outcome', 'exit', 'preset', 'webhook'];
  expect(refused).toEqual(expect.arrayContaining(known.map((what) => `${what}_not_found`)));
});
