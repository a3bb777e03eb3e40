import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../../../test/support/mongod/own-mongod.ts';
import { listening, runTool } from '../../support/tools.ts';
import { described, loadInTurns } from '../against-bare.ts';
import { openSqliteFile } from '../databases.ts';
import { type Figure, figure, medianOver } from '../figure.ts';
import { startApi } from '../service.ts';

const PINNED = ['fastapi==0.115.6', 'uvicorn==0.34.0', 'uvloop==0.21.0', 'httptools==0.6.4'];
const ALERTS = 20_000;
const LATEST = '/api/v1/alerts/latest';
const SEARCH = '/api/v1/alerts?category=politics&min_signal=80&min_usdc=5000';
const EFFORT = { connections: 8, warmUpSeconds: 2, rounds: 5, roundSeconds: 1.5 };

export async function benchPeer(): Promise<readonly Figure[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-peer-'));
  const install = `python3 -m venv "$0" && "$0/bin/pip" install --quiet ${PINNED.join(' ')}`;
  const { code, output } = await runTool('sh', ['-c', install, folder.path]);
  if (code !== 0) return [figure('FastAPI', `not measured: ${output.trim().split('\n').at(-1)}`)];
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  await using service = await startApi(database.url);
  await service.untilArchiveIsRead();
  const { address, headers, cpuSeconds } = service;
  await using peer = await startPeer(join(folder.path, 'bin/uvicorn'), {
    PEER_DATABASE: database.url.slice('sqlite:'.length),
    PEER_KEY: createHash('sha256').update(service.secret).digest('hex'),
    PEER_LATEST: await (await fetch(address + LATEST, { headers })).text(),
  });
  const figures: Figure[] = [];
  for (const [what, path] of Object.entries({ '`/alerts/latest`': LATEST, 'a search': SEARCH })) {
    const asked = [address, peer.address].map(async (at) => (await fetch(at + path, { headers })).json());
    const [own, other] = await Promise.all(asked);
    if (!isDeepStrictEqual(own, other)) throw new Error(`FastAPI answers ${path} in another way`);
    const sides = [
      { url: address + path, headers, cpuSeconds },
      { url: peer.address + path, headers, cpuSeconds: peer.cpuSeconds },
    ];
    const { ours, theirs } = await loadInTurns(sides, EFFORT);
    const ratio = medianOver(ours, theirs, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds);
    figures.push(
      figure(`${what}: FastAPI’s processor time, as a multiple of the service’s`, ratio.toFixed(2)),
      figure(`${what}: the service`, described(ours)),
      figure(`${what}: FastAPI`, described(theirs)),
    );
  }
  return figures;
}

async function startPeer(uvicorn: string, settings: Readonly<Record<string, string>>) {
  const port = String(await freePort());
  const args = ['app:app', '--app-dir', import.meta.dirname, '--port', port, '--no-access-log'];
  const env = { ...process.env, ...settings, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(uvicorn, args, { env, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  await listening(address, 'uvicorn');
  return {
    address,
    cpuSeconds: async () => Number(await (await fetch(`${address}/cpu`)).text()),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}
