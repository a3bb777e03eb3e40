import { describe, expect, test } from 'vitest';
import { acceptWeight, prefersPage } from '../../src/http/hooks/accept.ts';
import { ask, startApi } from '../support/api-server.ts';
import { postMcp } from '../support/mcp-client.ts';

describe('Accept is read as ranges (RFC 9110, 12.5.1)', () => {
  test.each([
    [undefined, 1],
    ['', 1],
    ['*/*', 1],
    ['text/*;q=0.4', 0.4],
    ['TEXT/HTML', 1],
    ['text/html; charset=utf-8 ; Q=0.3', 0.3],
    ['*/*;q=0.9, text/*;q=0.5, text/html;q=0.1', 0.1],
    ['text/html;q=0, */*', 0],
    ['text/*, text/html;q=0.000', 0],
    ['application/json', 0],
    ['text/htmlx, x-text/html', 0],
    ['text/html;q=2', 0],
  ])('%s gives text/html the weight %d', (accept, weight) => {
    expect(acceptWeight(accept, 'text/html')).toBe(weight);
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['Text/HTML', true],
    ['text/*', true],
    ['application/json;q=0.5, text/html', true],
    ['*/*', false],
    [undefined, false],
    ['text/html;q=0, */*', false],
    ['application/json, text/html;q=0.9', false],
    ['application/json, text/plain, */*', false],
  ])('a client that sends %s gets a page: %s', (accept, isPage) => {
    expect(prefersPage(accept)).toBe(isPage);
  });
});

describe('what negotiates', () => {
  const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test.each([
    ['*/*', 200],
    ['', 200],
    ['application/*, text/*', 200],
    ['Application/JSON, TEXT/event-stream', 200],
    ['application/json;q=0.9, */*;q=0.1', 200],
    ['text/event-stream;q=0, */*', 406],
    ['application/json', 406],
    ['text/html', 406],
  ])('/mcp with Accept: "%s" is answered %i', async (accept, status) => {
    const { baseUrl } = await startApi();
    const answer = await postMcp(baseUrl, PING, { accept });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(status === 200 ? 'list_alerts' : 'application/json and text/event-stream');
  });

  test.each([
    ['APPLICATION/*', 'application/atom+xml'],
    ['application/atom+xml;q=0, */*', 'text/xml'],
    ['application/atom+xml;q=0.1, text/xml', 'text/xml'],
    ['text/xml', 'text/xml'],
  ])('the Atom feed for Accept: %s is %s', async (accept, type) => {
    const { baseUrl } = await startApi();
    const answer = await ask(`${baseUrl}/feed.xml`, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });
});
