import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/http/schemas/error-codes.ts';
import { ERRORS } from '../../src/http/schemas/error-table.ts';
import { ask, startApi } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';

describe('every error has a code', () => {
  test('no route has an error without one, whatever key it is asked with', async () => {
    const { app, baseUrl, issue } = await startApi({ publicRequestsPerMinute: null });
    const keys = [await issue({ tier: 'enterprise' }), await issue({ tier: 'free' }), { secret: 'wrong' }];
    const seen = new Set<string>();
    for (const { method, url } of app.routeTable) {
      if (method === 'HEAD') continue;
      for (const { secret } of keys) {
        const headers = { authorization: `Bearer ${secret}` };
        const {
          status,
          headers: answered,
          body,
        } = await ask(`${baseUrl}${url.replaceAll(/:\w+/g, '1')}?limit=x&page=x&period=x&after=x&through=x`, {
          method,
          headers,
        });
        if (status < 400) continue;
        expect([url, ERRORS[body.code as ErrorCode].status]).toEqual([url, status]);
        expect(Object.keys(body)).toEqual(['detail', 'code']);
        expect(answered.get('link')).toContain(`</docs/errors#${body.code}>; rel="help"`);
        seen.add(body.code);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['key_invalid', 'invalid_request', 'tier_required']));
  });
});

test('the 404 of an unknown path names /docs, and the path that was meant if the prefix was forgotten', async () => {
  const { baseUrl } = await startApi();
  const detailOf = async (path: string) => (await ask(baseUrl + path)).body.detail as string;
  for (const path of ['/', '/nothing', '/api/v1/nothing', '/api/v2/alerts'])
    expect(await detailOf(path)).toBe('Not found. /docs describes every path.');
  expect(await detailOf('/alerts')).toContain('The path is /api/v1/alerts;');
  expect(await detailOf('/alerts/%3Cb%3E/?x=1')).toContain('The path is /api/v1/alerts/{id};');
});

describe('/docs/errors', () => {
  const pageAs = async (accept?: string) => {
    const { baseUrl } = await startApi();
    return ask(`${baseUrl}/docs/errors`, accept === undefined ? {} : { headers: { accept } });
  };

  test.each([undefined, '*/*', 'text/html,application/xhtml+xml,*/*;q=0.8'])(
    'is a page with every code, its meaning and what to do, for Accept: %s',
    async (accept) => {
      const { status, headers, text } = await pageAs(accept);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('vary')).toContain('accept');
      expect([...text.matchAll(/<section class="entry" id="(\w+)">/g)].map(([, id]) => id)).toEqual(
        ERROR_CODES,
      );
      expect(text.match(/What to do:/g)).toHaveLength(ERROR_CODES.length);
      expect(text).not.toContain('<API_KEY>');
    },
  );

  test('is JSON or text for a client that prefers it', async () => {
    const json = await pageAs('application/json, */*;q=0.5');
    expect(json.body.errors.map(({ code }: { code: string }) => code)).toEqual(ERROR_CODES);
    expect(json.body.errors[0]).toEqual({ code: 'bad_request', ...ERRORS.bad_request });
    const text = await pageAs('text/plain');
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const code of ERROR_CODES) expect(text.text).toContain(`\n## ${code} (${ERRORS[code].status})\n`);
  });

  test('has the codes of the API document, each in the answer of its status', async () => {
    const { document } = await startWithDocument();
    const { schemas, responses = {} } = document.components;
    expect(schemas['ErrorCode']).toMatchObject({ type: 'string', enum: ERROR_CODES });
    for (const name of ['Error', 'ValidationError']) {
      expect(schemas[name]).toMatchObject({ required: ['detail', 'code'] });
      expect(schemas[name]?.['properties']).toMatchObject({
        code: { $ref: '#/components/schemas/ErrorCode' },
      });
    }
    const described = Object.values(responses).map(
      (answer) => (answer as { description: string }).description,
    );
    const named = described.flatMap((text) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code));
    const ofStream = ['invalid_handshake', 'upgrade_required'];
    expect(named).toEqual(expect.arrayContaining(ERROR_CODES.filter((code) => !ofStream.includes(code))));
  });
});
