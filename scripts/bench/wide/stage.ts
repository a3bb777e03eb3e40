import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { Pool } from 'undici';
import { createAuthority, writeCaFile } from '../../../test/support/tls/authority.ts';
import { createNginx, findNginx, type Nginx } from '../../support/nginx.ts';
import { askEvenly } from '../load.ts';
import { type BenchService, issueKeys, startApi } from '../service.ts';
import { serverUse, type Use } from './use.ts';

const CONNECTIONS = 60;
const KEYS = 100;
const LOAD_KEYS = 10;
const KEY_PATH = '/api/v1/me';

export interface Load {
  readonly path: string;
  /** Of each process. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly secrets: readonly string[];
}

export interface Side {
  readonly processes: number;
  /** Of nginx. */
  readonly address: string;
  /** Returns how many requests were answered. */
  send(load: Load): Promise<number>;
  use(): Promise<Use>;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** As many API processes on one database, and an nginx in front of the first, of the first two, and so on. */
export async function openStage(url: string, most: number) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-wide-'));
  const program = await findNginx(folder.path);
  if (program === null) throw new Error('no nginx: apt-get install nginx');
  const authority = await createAuthority();
  const certificate = await authority.issue({ names: ['localhost'] });
  const [ca, client] = [await writeCaFile(authority), await MongoClient.connect(url)];
  const apis: BenchService[] = [];
  const [sides, proxies]: [Side[], Nginx[]] = [[], []];
  while (apis.length < most) {
    apis.push(await startApi(url, { TRUST_PROXY: '127.0.0.1' }));
    const own = join(folder.path, String(apis.length));
    await mkdir(own);
    const upstreams = apis.map(({ address }) => Number(new URL(address).port));
    const nginx = await createNginx({ folder: own, certificate, upstreams, program });
    await nginx.start();
    proxies.push(nginx);
    sides.push(sideOf(nginx, [...apis], { client, ca: authority.pem }));
  }
  for (const api of apis) await api.untilArchiveIsRead();
  const secrets = await issueKeys(url, KEYS);
  const loadSecrets = secrets.slice(0, LOAD_KEYS);
  // Each process has verified them before anything is measured.
  for (const { address } of apis)
    for (const secret of loadSecrets)
      await fetch(address + KEY_PATH, { headers: { authorization: `Bearer ${secret}` } });
  return {
    sides,
    secrets,
    loadSecrets,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca.path },
    async [Symbol.asyncDispose]() {
      await Promise.all(proxies.map((nginx) => nginx.stop()));
      await Promise.all(apis.map((api) => api[Symbol.asyncDispose]()));
      await client.close();
      await Promise.all([ca.remove(), folder.remove()]);
    },
  };
}

function sideOf(
  nginx: Nginx,
  apis: readonly BenchService[],
  { client, ca }: { readonly client: MongoClient; readonly ca: string },
): Side {
  const pool = new Pool(nginx.address, { connections: CONNECTIONS, allowH2: false, connect: { ca } });
  const total = async (of: (api: BenchService) => Promise<number>) =>
    (await Promise.all(apis.map(of))).reduce((sum, each) => sum + each, 0);
  return {
    processes: apis.length,
    address: nginx.address,
    async send({ path, perSecond, seconds, secrets }) {
      const signal = AbortSignal.timeout(seconds * 1_000);
      const answers = await askEvenly(perSecond * apis.length, signal, async (index): Promise<boolean> => {
        const headers = { authorization: `Bearer ${secrets[index % secrets.length]}` };
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
        const text = await body.text();
        // The database of a machine that is busy with other work may answer too late.
        if (statusCode === 503) return false;
        if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
        return true;
      });
      return answers.filter(Boolean).length;
    },
    use: async () => ({
      service: await total((api) => api.cpuSeconds()),
      nginx: await nginx.cpuSeconds(),
      ...(await serverUse(client)),
    }),
  };
}
