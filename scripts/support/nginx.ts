import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/mongod/own-mongod.ts';
import type { ServerCertificate } from '../../test/support/tls/authority.ts';
import { accepted, listening, runTool } from './tools.ts';

const TICKS_PER_SECOND = 100;
const CONFIG = join(import.meta.dirname, '../../deploy/nginx.conf');

interface NginxOptions {
  readonly folder: string;
  readonly certificate: ServerCertificate;
  readonly upstreams: readonly number[];
  readonly program: string;
}

/** The nginx of this machine, or else Debian's, unpacked into the folder; null without either. */
export async function findNginx(folder: string): Promise<string | null> {
  if ((await runTool('nginx', ['-v'])).code !== 127) return 'nginx';
  const unpack = 'cd "$0" && apt-get download nginx && dpkg -x nginx_*.deb .';
  return (await runTool('sh', ['-c', unpack, folder])).code === 0 ? join(folder, 'usr/sbin/nginx') : null;
}

export type Nginx = Awaited<ReturnType<typeof createNginx>>;

/** An nginx with the configuration of deploy/, which is not started yet. */
export async function createNginx({ folder, certificate, upstreams, program }: NginxOptions) {
  const [tls, plain] = [await freePort(), await freePort()];
  const [main, logs] = [join(folder, 'nginx.conf'), join(folder, 'logs')];
  const plainAddress = `http://localhost:${plain}`;
  let child: ChildProcess | null = null;
  await mkdir(logs, { recursive: true });
  await writeFile(join(folder, 'fullchain.pem'), certificate.cert);
  await writeFile(join(folder, 'privkey.pem'), certificate.key);
  await writeFile(join(folder, 'site.conf'), await siteConfig(folder, { tls, plain, upstreams }));
  await writeFile(main, mainConfig(folder));
  return {
    address: `https://localhost:${tls}`,
    plainAddress,
    check: async () => (await accepted(program, ['-t', '-c', main])).output.trim(),
    async start(): Promise<void> {
      child = spawn(program, ['-c', main, '-g', 'daemon off;'], { stdio: 'ignore' });
      await listening(plainAddress, 'nginx');
    },
    cpuSeconds: () => cpuSecondsOf(child?.pid),
    async logs(): Promise<Readonly<Record<string, string>>> {
      const names = await readdir(logs);
      const texts = names.map(async (name) => [name, await readFile(join(logs, name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
    async stop(): Promise<void> {
      if (child === null || child.exitCode !== null) return;
      child.kill('SIGQUIT');
      const cut = setTimeout(() => child?.kill('SIGTERM'), 1_000);
      await once(child, 'exit');
      clearTimeout(cut);
    },
  };
}

/** Of a process and of its children. */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const workers = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const ticks = await Promise.all(
    [pid, ...workers].map(async (id) => {
      const fields = (await readFile(`/proc/${id}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

interface Site {
  readonly tls: number;
  readonly plain: number;
  readonly upstreams: readonly number[];
}

async function siteConfig(folder: string, { tls, plain, upstreams }: Site): Promise<string> {
  const servers = upstreams.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n    ');
  return (await readFile(CONFIG, 'utf8'))
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll('api.example.com', 'localhost')
    .replaceAll('/etc/ssl/tipoff', folder)
    .replaceAll('/var/log/nginx', join(folder, 'logs'))
    .replace('server 127.0.0.1:8080 max_fails=0;', servers);
}

function mainConfig(folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/logs/main.error.log;
events { worker_connections 16384; }
http {
    access_log ${folder}/logs/main.access.log;
    ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join('\n    ')}
    include ${folder}/site.conf;
}
`;
}
