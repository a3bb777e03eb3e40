import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findMongod } from './find-mongod.ts';

/** A mongod of a test's own, which may be made to hang, and be killed and started again. */
export type OwnMongod = Awaited<ReturnType<typeof startMongod>>;

/** `isSmall`: with a cache that leaves room for other tests. */
export async function startMongod(args: readonly string[] = [], { isSmall = true } = {}) {
  const found = await findMongod();
  if ('problems' in found) throw new Error(found.problems.join('\n'));
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'mongod-')), freePort()]);
  const own = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', folder];
  const cache = isSmall ? ['--wiredTigerCacheSizeGB', '0.25'] : [];
  const uri = `mongodb://127.0.0.1:${port}/tipoff`;
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(found.path, [...own, ...cache, '--quiet', ...args], { stdio: 'ignore' });
    const client = await MongoClient.connect(uri, { directConnection: true });
    await client.close();
    return started;
  };
  let child = await start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    uri,
    /** It keeps its connections and answers nothing, as a virtual machine does that is paused. */
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      child = await start();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
