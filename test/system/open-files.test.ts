import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENT } from '../support/lanes/patient.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startService } from '../support/service-process.ts';

const REFUSED = 'too many open files: new connections are refused; raise the limit (ulimit -n)';

function openConnection(address: string) {
  const { hostname, port } = new URL(address);
  const socket: Socket = connect(Number(port), hostname);
  /** The answer to a request, as text; `reset` if there is none. */
  const get = (path: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const end = (text: string) => {
        socket.removeAllListeners();
        socket.on('error', () => {});
        resolve(text);
      };
      socket.on('data', (chunk) => {
        answer += chunk;
        const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? Number.NaN);
        if (Buffer.byteLength(answer.slice(answer.indexOf('\r\n\r\n') + 4)) >= length) end(answer);
      });
      socket.on('error', () => end('reset'));
      socket.on('close', () => end(answer || 'reset'));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  return { socket, get };
}

test.skipIf(process.platform !== 'linux')(
  'with 256 open files new connections get a 503 in time, open ones are served, and it recovers',
  async () => {
    const folder = mkdtempSync(join(scratchFolder(), 'tipoff-files-'));
    const settings = { DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}`, ROLES: 'api' };
    const service = startService(settings, { openFiles: 256 });
    onTestFinished(async () => {
      await service.end('SIGTERM');
      rmSync(folder, { recursive: true });
    });
    const address = String((await service.logged('listening'))['address']);
    const warned =
      'the limit of open files (ulimit -n) allows fewer connections than MAX_CONNECTIONS: raise it';
    expect(await service.logged(warned)).toMatchObject({ openFiles: 256, connections: 192 });
    const first = openConnection(address);
    expect(await first.get('/healthz')).toMatch(/^HTTP\/1.1 200/);

    const others = [];
    const statuses = [];
    for (let count = 0; count < 256; count += 1) {
      const connection = openConnection(address);
      others.push(connection.socket);
      statuses.push((await connection.get('/healthz')).slice(9, 12));
    }

    expect(new Set(statuses)).toEqual(new Set(['200', '503']));
    expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(150);
    expect(await first.get('/readyz')).toMatch(/^HTTP\/1.1 200/);
    expect(await first.get('/metrics')).toMatch(/tipoff_connections_refused_total\{reason="files"\} [1-9]/);
    expect(service.output().split(REFUSED)).toHaveLength(2);
    for (const socket of others) socket.destroy();
    await expect
      .poll(async () => (await openConnection(address).get('/healthz')).slice(9, 12), {
        ...PATIENT,
        interval: 100,
      })
      .toBe('200');
  },
);
