import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTipoff } from '../../clients/typescript/src/index.ts';
import { REFERENCE_PATHS } from '../../src/http/documents/reference.ts';
import { ASSETS } from '../../src/site/assets.ts';
import { requestExamples } from '../../src/site/reference/request-examples.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { linksOf } from '../support/site/walk-site.ts';
import { startSite } from '../support/site.ts';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** The pages of the reference, by path. */
async function readPages(page: (path: string) => Promise<{ readonly text: string }>) {
  const texts = await Promise.all(
    REFERENCE_PATHS.map(async (path) => [path, (await page(path)).text] as const),
  );
  return new Map(texts);
}

const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe('the API reference', () => {
  test('has every operation with its parameters, every field and every delivery of the document', async () => {
    const { page, baseUrl } = await startSite();
    const document = (await ask(`${baseUrl}/api/v1/openapi.json`)).body;
    const pages = await readPages(page);
    const all = [...pages.values()].join('\n');
    const operations = [document.paths, document.webhooks].flatMap((paths) =>
      Object.values(paths).flatMap((methods) => Object.values(methods as object)),
    );
    expect(operations.length).toBeGreaterThan(20);
    for (const { operationId, tags, parameters = [] } of operations) {
      const text = pages.get(`/docs/${tags[0].toLowerCase()}`) ?? '';
      const [, part = ''] = text.split(`<section class="operation" id="${operationId}"`);
      const [own = ''] = part.split('</section>');
      for (const { name } of parameters)
        expect(own, `${operationId} ${name}`).toContain(`<code>${name}</code>`);
    }
    for (const [name, { properties }] of Object.entries<{ properties?: object }>(
      document.components.schemas,
    )) {
      if (properties === undefined) continue;
      const [, list = ''] = all.split(`<dl class="fields" id="${name}">`);
      for (const field of Object.keys(properties))
        expect(list, `${name}.${field}`).toContain(`<code>${field}</code>`);
    }
  });

  test('lists the refusals that an operation can have, and no others', async () => {
    const { page } = await startSite();
    const listed = async (path: string, id: string) => {
      const [, part = ''] = (await page(path)).text.split(`<section class="operation" id="${id}"`);
      const [own = ''] = part.split('</section>');
      return [...own.matchAll(/"\/docs\/errors#(\w+)"/g)].map(([, code]) => code);
    };
    const usual = ['invalid_request', 'rate_limited', 'internal_error', 'unavailable'];
    const read = ['key_missing', ...usual];
    expect(await listed('/docs/alerts', 'searchAlerts')).toEqual(['preset_not_found', ...read]);
    expect(await listed('/docs/feeds', 'getAtomFeed')).toEqual(['preset_not_found', ...usual]);
    expect(await listed('/docs/outcomes', 'getOutcome')).toEqual(['outcome_not_found', ...read]);
    const written = ['key_missing', 'body_too_large', 'unsupported_media_type', ...usual];
    expect(await listed('/docs/presets', 'createPreset')).toEqual(['preset_limit_reached', ...written]);
    expect(await listed('/docs/webhooks', 'registerWebhook')).toEqual([
      ...['tier_required', 'webhook_limit_reached', 'webhook_url_taken', ...written],
    ]);
    const sent = ['tier_required', 'webhook_not_found', 'delivery_not_found', 'delivery_not_repeatable'];
    expect(await listed('/docs/webhooks', 'redeliverWebhook')).toEqual(expect.arrayContaining(sent));
    expect(await listed('/docs/webhooks', 'redeliverWebhook')).not.toContain('webhook_url_taken');
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
    expect(count).toBeGreaterThan(500);
  });

  test('is there without the site, and then links to nothing of it', async () => {
    const { baseUrl } = await startWithDocument();
    const pages = await readPages((path) => ask(baseUrl + path));
    const links = new Set([...pages.values()].flatMap(linksOf));
    for (const link of links) expect([link, (await ask(baseUrl + link)).status]).toEqual([link, 200]);
    expect(links).toContain(
      '/assets/reference.css?v='.concat(ASSETS['reference.css'].address.split('=')[1] ?? ''),
    );
    expect(pages.get('/docs')).not.toContain('og:image');
  });
});

/** Answers every request with an empty object, and keeps what was sent. */
async function startRecorder() {
  const sent: object[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = headers['content-type'] === 'application/json' ? await json(request) : null;
    sent.push({ request: `${method} ${url}`, key: headers.authorization ?? null, body });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Every operation with its examples for a service at an address. */
async function examplesFor(url: string) {
  const { operations, ...api } = await startWithDocument({ publicRequestsPerMinute: null });
  return { ...api, calls: operations.map((call) => ({ ...call, examples: requestExamples(call, url) })) };
}

/** What the document says that the example of an operation sends. */
function documented({ method, path, operation }: Awaited<ReturnType<typeof examplesFor>>['calls'][number]) {
  const { parameters = [], requestBody, security } = operation;
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example: unknown }> };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(String(parameters.find((each) => each.name === name)?.example)),
  );
  return {
    request: expect.stringMatching(
      new RegExp(`^${method.toUpperCase()} ${filled.replaceAll('.', '[.]')}(?:[?]|$)`),
    ),
    key: security?.length === 0 ? null : 'Bearer sk_live_test',
    body: content?.['application/json']?.example ?? null,
  };
}

const KEY = { TIPOFF_API_KEY: 'sk_live_test' };

/** Runs a program as it is copied, with our client in the place of the package. */
async function runTypescript(code: string, create: typeof createTipoff, key: string): Promise<unknown> {
  const [, body = ''] = code.split("import { createTipoff } from 'tipoff-client';\n");
  const shown: unknown[] = [];
  const program = new AsyncFunction('createTipoff', 'process', 'console', body);
  await program(
    create,
    { env: { TIPOFF_API_KEY: key } },
    { log: (value: unknown) => void shown.push(value) },
  );
  return shown[0];
}

describe('the examples, run as they are copied', () => {
  test('in TypeScript send what the document says', async () => {
    const { sent, url } = await startRecorder();
    const { calls } = await examplesFor(url);
    for (const { examples } of calls)
      await runTypescript(examples.TypeScript, createTipoff, KEY.TIPOFF_API_KEY);
    expect(sent).toEqual(calls.map(documented));
  });

  test('are answered, or refused by a code that their operation lists', async () => {
    const { calls, baseUrl, issue } = await examplesFor('https://api.example.com');
    const { secret } = await issue({ tier: 'enterprise' });
    const listed = [...(await readPages((path) => ask(baseUrl + path))).values()].join('\n');
    const refused: string[] = [];
    const create: typeof createTipoff = (options) => createTipoff({ ...options, url: baseUrl });
    for (const { examples, operation } of calls) {
      const answer = await runTypescript(examples.TypeScript, create, secret).catch(({ code }) => code);
      if (typeof answer !== 'string' || !/^[a-z]+(?:_[a-z]+)+$/.test(answer)) continue;
      refused.push(answer);
      const [, part = ''] = listed.split(`<section class="operation" id="${operation.operationId}"`);
      expect
        .soft(part.split('</section>')[0], operation.operationId)
        .toContain(`href="/docs/errors#${answer}"`);
    }
    const known = ['alert', 'wallet', 'market', 'outcome', 'exit', 'preset', 'webhook'];
    expect(refused).toEqual(expect.arrayContaining(known.map((what) => `${what}_not_found`)));
  });
});
