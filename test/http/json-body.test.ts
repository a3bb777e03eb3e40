import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenAt } from '../../src/http/hooks/json-body.ts';
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

  test.each([
    ['', 'unexpected end after 0 characters'],
    ['{"name":"x"', 'unexpected end after 11 characters'],
    ['{"name":x}', 'unexpected text at character 9'],
    ["{'name':1}", 'unexpected text at character 2'],
    ['{"name":"x",}', 'unexpected text at character 13'],
    ['{"a":1}\n{"b":2}', 'unexpected text at character 9'],
    ['{"a":NaN}', 'unexpected text at character 6'],
    ['{"a":"\t"}', 'unexpected text at character 7'],
  ])('%j names the place where it stops being JSON', async (text, place) => {
    const { post } = await startPosting();
    const msg = `JSON decode error: ${place}`;
    expect((await post(text)).body).toEqual({
      detail: [{ loc: ['body'], msg, type: 'json_invalid' }],
      code: 'invalid_request',
    });
  });

  test.each([
    '{"__proto__":{}}',
    '{"name":"x","filters":{"\\u005f_proto__":1}}',
    '{"constructor":{"prototype":{}}}',
  ])('%s is JSON with a name that is not permitted', async (text) => {
    const { post } = await startPosting();
    const msg = 'The names __proto__ and constructor.prototype are not permitted';
    expect((await post(text)).body.detail).toEqual([{ loc: ['body'], msg, type: 'value_error' }]);
  });
});

describe('the place of a fault in JSON', () => {
  test('of a JSON text that is cut off it is the end', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, cut) => {
        // A number that is cut off may be a number.
        const text = `[${json}`.slice(0, 1 + (cut % (json.length + 1)));
        expect(brokenAt(text)).toBe(text.length);
      }),
      { numRuns: 300 },
    );
  });

  test('of a JSON text with a character that is never valid outside a string it is that character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), { minLength: 1 }),
        fc.nat(),
        (list, pick) => {
          const text = JSON.stringify(list);
          const at = pick % text.length;
          expect(brokenAt(`${text.slice(0, at)}#${text.slice(at)}`)).toBe(at);
        },
      ),
      { numRuns: 300 },
    );
  });
});
