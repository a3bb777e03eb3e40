import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Deprecation, deprecatedParameter } from '../../src/http/hooks/deprecation.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';

const ROUTE = { since: '2026-01-31', sunset: '2027-01-31', instead: '`GET /new`' };
const NAME = { since: '2026-03-01', instead: '`name`' };
const OF_ROUTE = { deprecation: '@1769817600', sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' };
const LINK = (operation: string) => `</docs/alerts#${operation}>; rel="deprecation"; type="text/html"`;

const startWith = (deprecated: Deprecation) =>
  startWithDocument({}, (app) => {
    const querystring = z.object({
      name: z.string().optional(),
      old_name: deprecatedParameter(z.string().optional(), NAME),
    });
    const schema = { tags: ['Alerts'], querystring, response: { 200: z.object({}) } };
    const ofOld = { ...schema, operationId: 'getOld', description: 'The old one.' };
    app.get('/old', { config: { deprecated }, schema: ofOld }, async (_request, reply) => {
      reply.header('link', '</next>; rel="next"');
      return {};
    });
    app.get('/current', { schema: { ...schema, operationId: 'getCurrent' } }, async () => ({}));
  });

async function headersOf(url: string) {
  const { headers } = await ask(url);
  const [deprecation, sunset, link] = ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  return { deprecation, sunset, link };
}

describe('what is deprecated', () => {
  test('of a route every answer says so, refusals included, beside its other links', async () => {
    const { baseUrl } = await startWith(ROUTE);
    expect(await headersOf(`${baseUrl}/old`)).toEqual({
      ...OF_ROUTE,
      link: `</next>; rel="next", ${LINK('getOld')}`,
    });
    const refused = await headersOf(`${baseUrl}/old?name=1&name=2`);
    expect(refused).toEqual({ ...OF_ROUTE, link: expect.stringContaining(`rel="help", ${LINK('getOld')}`) });
  });

  test('of a parameter the answers to requests with it say so, without an end if it has none', async () => {
    const { baseUrl } = await startWith(ROUTE);
    const nothing = { deprecation: null, sunset: null, link: null };
    expect(await headersOf(`${baseUrl}/current?name=1`)).toEqual(nothing);
    const used = { deprecation: '@1772323200', sunset: null, link: LINK('getCurrent') };
    expect(await headersOf(`${baseUrl}/current?old_name=1`)).toEqual(used);
    // The earliest date counts.
    expect(await headersOf(`${baseUrl}/old?old_name=1`)).toMatchObject(OF_ROUTE);
  });

  test('is marked in the document, with what to use instead', async () => {
    const { document } = await startWith(ROUTE);
    const [old, current] = ['/old', '/current'].map((path) => document.paths[path]?.['get']);
    expect([old?.deprecated, current?.deprecated]).toEqual([true, undefined]);
    expect(old?.responses['200']?.headers).toMatchObject({ Deprecation: {}, Sunset: {} });
    expect(old?.description).toBe('Use `GET /new`. The old one.');
    const marks = current?.parameters?.map(({ name, deprecated, description, schema }) => [
      name,
      deprecated,
      description,
      'deprecated' in schema,
    ]);
    expect(marks).toEqual([
      ['name', undefined, undefined, false],
      ['old_name', true, 'Use `name`.', false],
    ]);
  });

  test('cannot end within less than 12 months', async () => {
    await expect(startWith({ ...ROUTE, sunset: '2027-01-30' })).rejects.toThrow('less than 12 months');
  });
});
