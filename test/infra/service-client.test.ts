import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ServiceClient } from '../../src/infra/log-service/service-client.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

test('an answer that comes a byte at a time is given up when its time is over', async () => {
  const server = createServer((_, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new ServiceClient({ baseUrl, key: null, clock: systemClock, longestMs: 1_000 });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  await expect(client.json('/log')).rejects.toThrow(/\/log: the answer broke off \(.*timeout/);
});
