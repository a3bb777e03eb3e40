import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../test/support/mongod/own-mongod.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { accepted, isInstalled } from './tools.ts';

const CONFIG = join(import.meta.dirname, '../../deploy/Caddyfile');
const START_MS = 10_000;

/**
 * Caddy accepts its configuration, and neither its own log nor that of the site has the key of requests that no process
 * answers. `folder`: an empty one. Left out where Caddy is not installed.
 */
export async function provesCaddy(folder: string, key: string): Promise<string> {
  if (!(await isInstalled('caddy', 'version'))) return 'not installed';
  await accepted('caddy', ['validate', '--adapter', 'caddyfile', '--config', CONFIG]);
  await mkdir(folder, { recursive: true });
  const [port, dead] = [await freePort(), await freePort()];
  const config = join(folder, 'Caddyfile');
  const changed = (await readFile(CONFIG, 'utf8'))
    .replace(/^\{$/m, '{\n\tadmin off')
    .replace('api.example.com {', `http://localhost:${port} {`)
    .replace('/var/log/caddy', folder)
    .replace('127.0.0.1:8080', `127.0.0.1:${dead}`)
    .replace(/lb_try_duration .*/, 'lb_try_duration 0');
  await writeFile(config, changed);
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const own = text(caddy.stderr);
  const ended = once(caddy, 'exit');
  const ask = (path: string) => fetch(`http://localhost:${port}${path}`).then(({ status }) => status);
  const isUp = () => ask('/metrics').catch(() => null);
  await waitUntil(isUp, { timeoutMs: START_MS, what: 'caddy' });
  const statuses = [await ask('/metrics'), await ask(`/ws/alerts?since_id=1&api_key=${key}`)];
  caddy.kill('SIGTERM');
  await ended;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const site = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const logs = [await own, ...site];
  if (!logs.every((log) => log.includes('since_id=1'))) throw new Error(`a log has no request: ${statuses}`);
  if (logs.some((log) => log.includes(key))) throw new Error('a log has the key');
  return `configuration valid; no key in ${logs.length} logs after answers ${statuses}`;
}
