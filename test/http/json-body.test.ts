import { describe, expect, test } from 'vitest';
import { ask } from '../support/api-server.ts';
import { startWithKey } from '../support/preset-api.ts';

const BODY = '{"name":"Größe","filters":{}}';

describe('a body is JSON in UTF-8 (contract: “All request and response bodies are JSON”)', () => {
  async function startPosting() {
    const api = await startWithKey();
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      ask(`${api.baseUrl}/api/v1/presets`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${api.secret}`, 'content-type': 'application/json', ...headers },
      });
    return { ...api, post };
  }

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
  ])('%s is read', async (type) => {
    const { post } = await startPosting();
    const { status, body } = await post(BODY, { 'content-type': type });
    expect([status, body.name]).toEqual([200, 'Größe']);
  });

  test.each([
    [{ 'content-type': 'application/json; charset=iso-8859-1' }],
    [{ 'content-type': 'application/json; charset=utf-16le' }],
    [{ 'content-encoding': 'gzip' }],
    [{ 'content-encoding': 'identity, br' }],
  ])('%j is a 415 that says what can be sent', async (headers) => {
    const { post, asked } = await startPosting();
    const { status, body } = await post(BODY, headers);
    expect([status, body]).toEqual([
      415,
      {
        detail: 'Unsupported media type. Send application/json in UTF-8, without compression.',
        code: 'unsupported_media_type',
      },
    ]);
    expect((await asked('/presets')).body).toEqual([]);
  });

  test('bytes that are not UTF-8 are refused instead of stored as replacement characters', async () => {
    const { post, asked } = await startPosting();
    const { status, body } = await post(Uint8Array.from(Buffer.from(BODY, 'latin1')));
    expect([status, body.detail]).toEqual([
      422,
      [{ loc: ['body'], msg: 'JSON decode error: the body is not UTF-8', type: 'json_invalid' }],
    ]);
    expect((await asked('/presets')).body).toEqual([]);
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(BODY)]);
    expect((await post(marked, { 'content-encoding': 'identity' })).status).toBe(200);
  });
});
