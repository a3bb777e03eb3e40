import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startApi } from '../../support/api-server.ts';

test('no subprotocol is selected: the stream has none, and a client that needs one learns it', async () => {
  const { baseUrl, issue } = await startApi();
  const { secret } = await issue();
  const request = [
    `GET /ws/alerts?api_key=${secret} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-ws, chat',
  ];
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(`${request.join('\r\n')}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  socket.destroy();
  expect(String(head)).toMatch(/^HTTP\/1.1 101 /);
  expect(String(head)).not.toMatch(/sec-websocket-protocol/i);
});
