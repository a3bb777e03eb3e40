import { connect } from 'node:net';
import { serve } from '../bench/remote.ts';

/** The service takes 100 requests ahead on a connection. */
const AHEAD = 97;
const TIMEOUT_MS = 30_000;

export interface Attacker {
  readonly localAddress: string;
  readonly paths: readonly string[];
}

const functions = {
  /** Sends all requests at the same moment, each address on as few connections as it can; how many answers had which status. */
  async attack(address: string, attackers: readonly Attacker[]): Promise<Readonly<Record<string, number>>> {
    const statuses: Record<string, number> = {};
    await Promise.all(
      attackers.flatMap(({ localAddress, paths }) =>
        Array.from({ length: Math.ceil(paths.length / AHEAD) }, (_, index) =>
          sendAhead(
            { address, localAddress, paths: paths.slice(index * AHEAD, (index + 1) * AHEAD) },
            statuses,
          ),
        ),
      ),
    );
    return statuses;
  },
};

export type Attackers = typeof functions;

interface Connection extends Attacker {
  readonly address: string;
}

function sendAhead(
  { address, localAddress, paths }: Connection,
  statuses: Record<string, number>,
): Promise<void> {
  const { hostname, port } = new URL(address);
  const requests = paths.map((path, index) => {
    const close = index === paths.length - 1 ? 'Connection: close\r\n' : '';
    return `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/html\r\n${close}\r\n`;
  });
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress }, () =>
      socket.write(requests.join('')),
    );
    let rest = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1');
      for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
        statuses[status] = (statuses[status] ?? 0) + 1;
      rest = text.slice(-'HTTP/1.1 200'.length);
    });
    socket.on('error', () => {
      statuses['cut'] = (statuses['cut'] ?? 0) + 1;
    });
    socket.on('close', () => resolve());
  });
}

serve(functions);
