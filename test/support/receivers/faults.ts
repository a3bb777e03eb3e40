import type { Socket } from 'node:net';

/** What a receiver does wrong: as soon as a client connects, or once it has a whole request over TLS. */
export type Fault =
  | { readonly at: 'connection'; act(raw: Socket): void }
  | { readonly at: 'request'; act(secure: Socket, raw: Socket): void };

const DRIP_MS = 200;
const GIGABYTE = 2 ** 30;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

export const FAULTS = {
  'hangs before TLS': { at: 'connection', act() {} },
  'closes once connected': { at: 'connection', act: (raw) => void raw.end() },
  'speaks plain HTTP': { at: 'connection', act: (raw) => void raw.end(answer(200)) },

  'hangs before an answer': { at: 'request', act() {} },
  'resets before an answer': { at: 'request', act: (_secure, raw) => void raw.resetAndDestroy() },
  'closes within the head': { at: 'request', act: (secure) => void secure.end('HTTP/1.1 200 OK\r\nserv') },
  'resets within the body': {
    at: 'request',
    act: (secure, raw) => void secure.write(head(200, 'content-length: 99'), () => raw.resetAndDestroy()),
  },
  'drips its head': { at: 'request', act: (secure) => drip(secure, answer(200)) },
  'drips its body': {
    at: 'request',
    act(secure) {
      secure.write(head(200, 'content-length: 999'));
      drip(secure, 'x'.repeat(999));
    },
  },
  'never ends its body': {
    at: 'request',
    act: (secure) => void secure.write(head(200, 'transfer-encoding: chunked')),
  },

  'answers 500': { at: 'request', act: (secure) => void secure.write(answer(500)) },

  'answers a gigabyte': {
    at: 'request',
    act(secure) {
      secure.write(head(200, `content-length: ${GIGABYTE}`));
      flood(secure, GIGABYTE);
    },
  },
  'sends endless headers': {
    at: 'request',
    act(secure) {
      secure.write('HTTP/1.1 200 OK\r\n');
      flood(secure, GIGABYTE, Buffer.from('x-more: and more\r\n'.repeat(1_000)));
    },
  },
  'answers in no HTTP': { at: 'request', act: (secure) => void secure.end('hello, who is there?\r\n') },
  'answers with two lengths': {
    at: 'request',
    act: (secure) => void secure.write(head(200, 'content-length: 1\r\ncontent-length: 2')),
  },
  'switches protocols': {
    at: 'request',
    act: (secure) =>
      void secure.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  },
  'says 103 a hundred times, then 200': {
    at: 'request',
    act: (secure) => void secure.write(head(103, 'link: </a>').repeat(100) + answer(200)),
  },
  'says 102 endlessly': {
    at: 'request',
    act: (secure) => drip(secure, head(102, 'server: x').repeat(99), 30),
  },
  'says 103 a million times': {
    at: 'request',
    act: (secure) => flood(secure, 1e9, Buffer.from(head(103, 'link: </a>').repeat(1_000))),
  },
  'never ends the extension of a chunk': {
    at: 'request',
    act(secure) {
      secure.write(`${head(200, 'transfer-encoding: chunked')}2;`);
      flood(secure, 1e9, Buffer.alloc(60_000, 'a'));
    },
  },
  'says 100 unasked': { at: 'request', act: (secure) => void secure.write(head(100, 'x: y') + answer(200)) },
  'answers twice': { at: 'request', act: (secure) => void secure.write(answer(200) + answer(500)) },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export function head(status: number, headers: string): string {
  return `HTTP/1.1 ${status} Status\r\n${headers}\r\n\r\n`;
}

export function answer(status: number, headers = 'content-type: text/plain'): string {
  return `${head(status, `${headers}\r\ncontent-length: 2`)}ok`;
}

function drip(socket: Socket, text: string, bytes = 1): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.slice(at, at + bytes));
    at += bytes;
    if (at >= text.length) clearInterval(timer);
  }, DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, bytes: number, chunk = CHUNK): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
}
