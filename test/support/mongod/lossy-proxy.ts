import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy of a mongod until the test ends. It drops the next `losses` answers to inserts, each with its connection. */
export async function startLossyProxy(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isInserting = false;
    near.on('data', (sent) => {
      isInserting = sent.includes('insert');
      far.write(sent);
    });
    far.on('data', (answer) => {
      if (!isInserting || proxy.losses === 0) return void near.write(answer);
      proxy.losses -= 1;
      near.destroy();
    });
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
    sockets.add(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo;
  const url = `mongodb://127.0.0.1:${address.port}/tipoff?directConnection=true`;
  const proxy = { port: address.port, url, losses: 0 };
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return proxy;
}
