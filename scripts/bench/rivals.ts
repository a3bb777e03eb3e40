import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Tier } from '../../src/core/tier.ts';
import { type BareProcess, startBare } from './bare-process.ts';
import { type Comparison, compare, type Effort } from './compare.ts';
import type { BenchDatabase } from './databases.ts';
import { type Figure, note, whole } from './figure.ts';
import type { Side } from './load.ts';
import { PEER_SKIPPED, type PeerProcess, startPeer } from './peer-process.ts';
import { type BenchService, startApi } from './service.ts';

/** The service and, where it is installed, FastAPI, over one SQLite file. */
export interface Rivals {
  readonly hasPeer: boolean;
  /** Sends this number of requests to the service and to FastAPI, whatever they answer. */
  ask(path: string, times: number): Promise<void>;
  /**
   * Compares an address with a bare Fastify that sends the same bytes, and with the same address of FastAPI: in this
   * order in the comparison. Throws where FastAPI answers something else than the service, before anything happens
   * `meanwhile`.
   */
  contest(path: string, effort: Effort, meanwhile?: Meanwhile): Promise<Comparison>;
  stop(): Promise<void>;
}

/** Runs until it is stopped. */
export type Meanwhile = () => { stop(): Promise<void> };

export interface RivalOptions {
  /** Of the key; default `enterprise`, which has no limit. */
  readonly tier?: Tier;
  /** Two more rivals: bare Fastify with all headers of the answer, and FastAPI sending its very bytes. */
  readonly readyBytesOf?: string;
}

/** Characters of an answer that an error quotes. */
const SHOWN = 2_000;
/** Between two requests an alert may have left a window of time; figures are cached for 2 s. */
const AGREE_TRIES = 3;
const AGREE_PAUSE_MS = 2_500;

export async function startRivals(database: BenchDatabase, options: RivalOptions = {}): Promise<Rivals> {
  const { tier = 'enterprise' } = options;
  // All the load comes from one address.
  const service = await startApi(database.url, { tier, settings: { PUBLIC_REQUESTS_PER_MINUTE: '0' } });
  try {
    return rivalsOf(service, await startPeerOf(service, database, options), options);
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function startPeerOf(
  { address, headers, secret }: BenchService,
  { url }: BenchDatabase,
  { tier = 'enterprise', readyBytesOf }: RivalOptions,
): Promise<PeerProcess | null> {
  return startPeer({
    file: url.replace(/^sqlite:/, ''),
    tiers: { [createHash('sha256').update(secret).digest('hex')]: tier },
    readyText: readyBytesOf === undefined ? '' : await textOf(address + readyBytesOf, headers),
  });
}

function rivalsOf(service: BenchService, peer: PeerProcess | null, options: RivalOptions): Rivals {
  const { headers } = service;
  return {
    hasPeer: peer !== null,
    async ask(path, times) {
      for (const address of [service.address, ...(peer === null ? [] : [peer.address])])
        for (let time = 0; time < times; time++) await textOf(address + path, headers);
    },
    async contest(path, effort, meanwhile) {
      const { status = 200 } = effort;
      const { text, own } = await agreedAnswer(service, peer, { path, status });
      const contentType = own['content-type'] ?? '';
      const told = { path: path.split('?', 1)[0] ?? path, status, text };
      const bare = await startBare({ ...told, headers: { 'content-type': contentType } });
      const dressed = options.readyBytesOf === undefined ? null : await startBare({ ...told, headers: own });
      const going = meanwhile?.();
      try {
        // The bare route is sent the key as well: all read the same request.
        const rivals = [
          bareSide('bare Fastify', bare, { path, headers }),
          ...(dressed === null
            ? []
            : [bareSide('bare Fastify sending all our headers', dressed, { path, headers })]),
          ...peerSides(peer, { path, headers }, options),
        ];
        return await compare(serviceSide(service, path, Buffer.byteLength(text)), rivals, effort);
      } finally {
        await Promise.all([bare.stop(), dressed?.stop(), going?.stop()]);
      }
    },
    async stop() {
      await Promise.all([service.stop(), peer?.stop()]);
    },
  };
}

function serviceSide({ address, headers, metric }: BenchService, path: string, bytes: number): Side {
  const cpuSeconds = () => metric('process_cpu_seconds_total');
  const name = `the service, ${whole(bytes)} bytes an answer`;
  return { name, url: address + path, headers, cpuSeconds };
}

function bareSide(
  name: string,
  { address, cpuSeconds }: BareProcess,
  { path, headers }: { readonly path: string; readonly headers: Side['headers'] },
): Side {
  return { name, url: address + path, headers, cpuSeconds };
}

function peerSides(
  peer: PeerProcess | null,
  { path, headers }: { readonly path: string; readonly headers: Side['headers'] },
  { readyBytesOf }: RivalOptions,
): readonly Side[] {
  if (peer === null) return [];
  const { name, address, cpuSeconds } = peer;
  const same: Side = { name, url: address + path, headers, cpuSeconds };
  if (readyBytesOf === undefined) return [same];
  return [
    same,
    { ...same, name: 'FastAPI sending ready bytes, no key asked for', url: `${address}/ready-bytes` },
  ];
}

async function textOf(url: string, headers: Side['headers']): Promise<string> {
  return await (await fetch(url, { headers })).text();
}

/** The service's answer, after checking that FastAPI's is the same JSON. */
async function agreedAnswer(
  { address, headers }: BenchService,
  peer: PeerProcess | null,
  { path, status }: { readonly path: string; readonly status: number },
): Promise<{ readonly text: string; readonly own: Readonly<Record<string, string>> }> {
  let difference = '';
  for (let tries = 0; tries < AGREE_TRIES; tries++) {
    if (tries > 0) await sleep(AGREE_PAUSE_MS);
    const sample = await fetch(address + path, { headers });
    const text = await sample.text();
    if (sample.status !== status)
      throw new Error(`${path} was answered ${sample.status}, not ${status}: ${text.slice(0, SHOWN)}`);
    const agreed = { text, own: ownHeaders(sample.headers) };
    if (peer === null) return agreed;
    const answer = await fetch(peer.address + path, { headers });
    const theirs = await answer.text();
    if (answer.status === status && isDeepStrictEqual(JSON.parse(theirs), JSON.parse(text))) return agreed;
    difference = `FastAPI: ${answer.status} ${theirs.slice(0, SHOWN)}\nthe service: ${status} ${text.slice(0, SHOWN)}`;
  }
  throw new Error(`${path} is not answered the same:\n${difference}`);
}

/** Without those that every HTTP server adds. */
function ownHeaders(headers: Headers): Readonly<Record<string, string>> {
  const written = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !written.has(name)));
}

/** The reason why nothing was compared with FastAPI, if any. */
export function peerNote({ hasPeer }: Pick<Rivals, 'hasPeer'>): readonly Figure[] {
  return hasPeer ? [] : [note('FastAPI', PEER_SKIPPED)];
}
