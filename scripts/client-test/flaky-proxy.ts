import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const CUT_AFTER_BYTES = 40_000;

/** An address of the service whose first stream is refused and whose second one is cut while alerts flow. */
export async function startFlakyProxy(
  service: string,
): Promise<AsyncDisposable & { readonly address: string }> {
  const port = Number(new URL(service).port);
  let streams = 0;
  const server = createServer((near) => {
    near.on('error', () => {});
    near.once('data', (head) => {
      if (head.toString('latin1').startsWith('GET /ws/')) streams += 1;
      if (streams === 1) return void near.destroy();
      const far = connect(port, '127.0.0.1');
      const end = () => [near, far].forEach((socket) => void socket.destroy());
      far.on('error', end).on('close', end);
      near.on('close', end);
      far.write(head);
      near.pipe(far);
      far.pipe(near);
      if (streams === 2) far.on('data', () => void (far.bytesRead > CUT_AFTER_BYTES && end()));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
