import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Arrivals, serve } from '../remote.ts';

/** Every client pings once in 10 seconds without a pause, a hundredth of them at a time: no two are made to ping together. */
const PING_PARTS = 100;
const PING_MS = 100;
/** What the last pings are answered in. */
const PONG_MS = 200;
const AT_ONCE = 50;
const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const PING = Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from('ping')]);

// Bare sockets that count bytes: what reads the frames must not be what holds the comparison back.
const sockets = new Set<Socket>();
const received = new Arrivals();
let part = 0;
let isPinging = true;
setInterval(() => {
  if (!isPinging) return;
  part = (part + 1) % PING_PARTS;
  let index = 0;
  for (const socket of sockets) if (index++ % PING_PARTS === part) socket.write(PING);
}, PING_MS);

const functions = {
  async connect(port: number, paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += AT_ONCE)
      await Promise.all(
        paths.slice(from, from + AT_ONCE).map((path) => open(path, connect(port, '127.0.0.1'))),
      );
  },
  /** No pings until `resumePings`: their answers would be counted as bytes of alerts. */
  async pausePings(): Promise<void> {
    isPinging = false;
    await sleep(PONG_MS);
    received.reset();
  },
  resumePings(): void {
    isPinging = true;
  },
  /** Of bytes of frames. */
  expect: (bytes: number) => received.expect(bytes),
};

export type StreamClients = typeof functions;

serve(functions);

/** Resolves when the handshake and the greeting are through: one frame of the service, none of the raw server. */
function open(path: string, socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    const greet = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      if (!head.includes(END_OF_HEADERS)) return;
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) return reject(new Error(head.toString()));
      if (path.includes('api_key') && !head.includes('"connected"')) return;
      socket.off('data', greet);
      socket.on('data', ({ length }) => received.add(length));
      sockets.add(socket);
      resolve();
    };
    socket.on('data', greet);
    socket.on('error', reject);
    socket.on('close', () => sockets.delete(socket));
  });
}
