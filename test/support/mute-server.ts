import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Accepts connections until the test ends, and says nothing. `sockets` are those that are open. */
export async function startMuteServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`, sockets };
}
