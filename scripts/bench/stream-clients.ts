import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const AT_ONCE = 50;
const END_OF_HEADERS = '\r\n\r\n';
const PING = Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from('ping')]);

/** Clients of a stream. Bare sockets that count bytes: what reads the frames must not be what holds the comparison back. */
export class StreamClients {
  readonly #sockets: Socket[] = [];
  #received = 0;
  #firstAt = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #arrived: (ms: number) => void = () => {};

  /** `greeting`: what the server sends first. */
  async connect(address: string, paths: readonly string[], greeting: string): Promise<void> {
    const port = Number(new URL(address).port);
    for (let from = 0; from < paths.length; from += AT_ONCE)
      await Promise.all(paths.slice(from, from + AT_ONCE).map((path) => this.#open(port, path, greeting)));
  }

  /** The service drops clients that send none. Resolves when all are answered. */
  async ping(): Promise<void> {
    await Promise.all(
      this.#sockets.map((socket) => {
        const answered = once(socket, 'data');
        socket.write(PING);
        return answered;
      }),
    );
  }

  /** Resolves, when so many bytes have come, to how long that took after the first, ms. */
  expect(bytes: number): Promise<number> {
    this.#received = 0;
    this.#wanted = bytes;
    return new Promise((arrived) => {
      this.#arrived = arrived;
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #open(port: number, path: string, greeting: string): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}${END_OF_HEADERS}`,
    );
    let head = '';
    while (!head.includes(END_OF_HEADERS) || !head.includes(greeting)) {
      const [chunk] = await once(socket, 'data');
      head += chunk.toString('latin1');
    }
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
    socket.on('data', ({ length }) => this.#count(length));
    socket.on('end', () => {
      throw new Error('the server ended a connection');
    });
    this.#sockets.push(socket);
  }

  #count(bytes: number): void {
    const now = performance.now();
    if (this.#received === 0) this.#firstAt = now;
    this.#received += bytes;
    if (this.#received >= this.#wanted) this.#arrived(now - this.#firstAt);
  }
}
