import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { ServerCertificate } from '../tls/authority.ts';
import { FAULTS, type Fault, type FaultName } from './faults.ts';

/** A receiver of webhooks on 127.0.0.1 that does one thing wrong, and counts. */
export type FaultReceiver = Awaited<ReturnType<typeof startFaultReceiver>>;

export async function startFaultReceiver(which: FaultName | Fault, certificate: ServerCertificate) {
  const fault = typeof which === 'string' ? FAULTS[which] : which;
  const secureContext = createSecureContext({ ...certificate });
  const open = new Set<Socket>();
  const watchers: (() => void)[] = [];
  const counts = { connections: 0, requests: 0, bytesSent: 0 };

  function count(raw: Socket): void {
    counts.connections += 1;
    open.add(raw);
    raw.on('error', () => {});
    raw.on('close', () => {
      counts.bytesSent += raw.bytesWritten;
      open.delete(raw);
      if (open.size === 0) for (const tell of watchers.splice(0)) tell();
    });
  }

  const server = createServer((raw) => {
    count(raw);
    if (fault.at === 'connection') {
      // Unread, it would not hear of its end.
      raw.resume();
      return fault.act(raw);
    }
    const secure = new TLSSocket(raw, { isServer: true, secureContext });
    secure.on('error', () => {});
    onRequest(secure, () => {
      counts.requests += 1;
      fault.act(secure, raw);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return counts.connections;
    },
    get requests() {
      return counts.requests;
    },
    get bytesSent() {
      return [...open].reduce((sum, raw) => sum + raw.bytesWritten, counts.bytesSent);
    },
    allClosed: () => new Promise<void>((tell) => (open.size === 0 ? tell() : watchers.push(tell))),
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const raw of open) raw.destroy();
      await closed;
    },
  };
}

/** Calls at the end of each request that came with its length. */
function onRequest(socket: Socket, act: () => void): void {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    const head = /^[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(text);
    const length = (head?.[0].length ?? Infinity) + Number(head?.[1]);
    if (text.length < length || head === null) return;
    text = text.slice(length);
    act();
  });
}
