import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LocalService } from '../../../src/cli/listen/local-service.ts';

async function answering(status: number, body: unknown): Promise<LocalService> {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return new LocalService({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'sk_live_x',
  });
}

test.each([
  [500, { detail: 'broken\u001b[2J\u009b31m\nnow' }, / answered: broken \[2J 31m now$/],
  [201, {}, / answered: HTTP 201$/],
  [201, { id: '\u001b[2J', secret: 'x' }, / answered: HTTP 201$/],
])(
  'what another program answers, %s %j, is a refusal that cannot steer the terminal',
  async (status, body, words) => {
    const service = await answering(status, body);
    await expect(service.register('http://127.0.0.1:1/')).rejects.toThrow(words);
  },
);

test('nor can the result of a test', async () => {
  const service = await answering(200, { status: 'failed', error: '\u001b[2Jtimeout' });
  expect(await service.test('wh_a')).toContain('a test ([2Jtimeout)');
  const other = await answering(200, []);
  expect(await other.test('wh_a')).toMatch(/ answered: HTTP 200$/);
});
