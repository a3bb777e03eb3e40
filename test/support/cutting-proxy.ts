import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How long the connection of a stream lives; whichever comes first ends it. */
export interface Fate {
  /** So many bytes of the server come through, the last frame of them perhaps in part. */
  readonly bytes: number;
  readonly afterMs: number;
  /** With a reset instead of an end. */
  readonly isReset: boolean;
}

/** A proxy between a client and a server that cuts every connection to the stream as its `fate` says. */
export interface CuttingProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** `fate` is asked at each handshake; null lets the connection live. `onCut` gets the bytes that came through. */
export async function startCuttingProxy(
  target: { host: string; port: number },
  { fate, onCut }: { fate: () => Fate | null; onCut: (bytesThrough: number) => void },
): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      open.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
    far.pipe(near);
    near.on('data', (data) => {
      far.write(data);
      // A connection that answered requests may become a socket.
      const given = String(data).startsWith('GET /ws/') ? fate() : null;
      if (given === null) return;
      far.unpipe(near);
      passUntil(given, { near, far, onCut });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function passUntil(
  { bytes, afterMs, isReset }: Fate,
  { near, far, onCut }: { near: Socket; far: Socket; onCut: (bytesThrough: number) => void },
): void {
  let through = 0;
  const cut = () => {
    clearTimeout(timer);
    far.removeListener('data', pass);
    if (near.destroyed) return;
    onCut(through);
    far.destroy();
    if (isReset) near.resetAndDestroy();
    else near.destroy();
  };
  const timer = setTimeout(cut, afterMs);
  near.on('close', () => clearTimeout(timer));
  function pass(data: Buffer): void {
    const part = data.subarray(0, bytes - through);
    through += part.length;
    if (through < bytes) near.write(part);
    else near.write(part, cut);
  }
  far.on('data', pass);
  far.resume();
}
