import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and a server that fails on request. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

export async function startTcpProxy(target: { host: string; port: number }) {
  let mode: 'open' | 'cut' | 'stalled' = 'open';
  let refused = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    if (mode === 'cut') {
      refused += 1;
      return void near.destroy();
    }
    const pair = [near, connect(target)] as const;
    const [, far] = pair;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (data) => to.write(data));
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (mode === 'stalled') from.pause();
    }
  });
  const forEach = (act: (socket: Socket) => unknown) => {
    for (const pair of pairs) pair.forEach(act);
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    cut() {
      mode = 'cut';
      forEach((socket) => socket.destroy());
    },
    /** Takes everything and passes nothing on, as a network does that loses every packet. */
    stall() {
      mode = 'stalled';
      forEach((socket) => socket.pause());
    },
    mend() {
      mode = 'open';
      forEach((socket) => socket.resume());
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
