import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Tier } from '../../src/core/accounts/tier.ts';
import type { BareAnswer, BareServer } from './bare-server.ts';
import { type Comparison, compare, type Effort } from './compare.ts';
import type { BenchDatabase } from './databases.ts';
import { type Figure, figure, whole } from './figure.ts';
import type { Side } from './load.ts';
import { PEER_SKIPPED, type PeerProcess, startPeer } from './peer-process.ts';
import { Remote } from './remote.ts';
import { type BenchService, startApi } from './service.ts';

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

export async function startRivals(
  { url }: BenchDatabase,
  { tier = 'enterprise', readyBytesOf }: RivalOptions = {},
): Promise<Rivals> {
  const service = await startApi(url, {}, { tier });
  const { address, headers, secret } = service;
  try {
    await service.untilArchiveIsRead();
    const peer = await startPeer({
      file: url.replace(/^sqlite:/, ''),
      tiers: { [hash('sha256', secret)]: tier },
      readyText: readyBytesOf === undefined ? '' : await textOf(address + readyBytesOf, headers),
    });
    return new Rivals(service, peer, readyBytesOf !== undefined);
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}

/** The service and, where it is installed, FastAPI, over one SQLite file. Disposal stops both. */
class Rivals implements AsyncDisposable {
  readonly #service: BenchService;
  readonly #peer: PeerProcess | null;
  readonly #hasReadyBytes: boolean;

  constructor(service: BenchService, peer: PeerProcess | null, hasReadyBytes: boolean) {
    this.#service = service;
    this.#peer = peer;
    this.#hasReadyBytes = hasReadyBytes;
  }

  /** The reason why nothing was compared with FastAPI, if any. */
  get peerNote(): readonly Figure[] {
    return this.#peer === null ? [figure('FastAPI', PEER_SKIPPED)] : [];
  }

  /** The service's answer. Throws where FastAPI's is not the same JSON. */
  agreed(path: string, status = 200): ReturnType<typeof agreedAnswer> {
    return agreedAnswer(this.#service, this.#peer, { path, status });
  }

  /** Sends this number of requests to the service and to FastAPI, whatever they answer. */
  async ask(path: string, times: number): Promise<void> {
    const { headers } = this.#service;
    for (const server of [this.#service, this.#peer].filter((one) => one !== null))
      for (let time = 0; time < times; time++) await textOf(server.address + path, headers);
  }

  /**
   * Compares an address with a bare Fastify that sends the same bytes, and with the same address of FastAPI: in this
   * order in the comparison. Throws where FastAPI answers something else than the service, before anything happens
   * `meanwhile`.
   */
  async compare(path: string, effort: Effort, meanwhile?: () => AsyncDisposable): Promise<Comparison> {
    const { headers } = this.#service;
    const { status = 200 } = effort;
    const { text, own } = await this.agreed(path, status);
    const answer = { path: path.split('?', 1)[0] ?? path, status, text };
    await using bare = await startBare({ ...answer, headers: { 'content-type': own['content-type'] ?? '' } });
    await using dressed = this.#hasReadyBytes ? await startBare({ ...answer, headers: own }) : null;
    await using _running = meanwhile?.();
    // The bare route is sent the key as well: all read the same request.
    const side = (name: string, { address, cpuSeconds }: Server, at = path): Side => {
      return { name, url: address + at, headers, cpuSeconds };
    };
    const rivals = [side('bare Fastify', bare)];
    if (dressed !== null) rivals.push(side('bare Fastify sending all our headers', dressed));
    if (this.#peer !== null) rivals.push(side(this.#peer.name, this.#peer));
    if (this.#peer !== null && this.#hasReadyBytes)
      rivals.push(side('FastAPI sending ready bytes, no key asked for', this.#peer, '/ready-bytes'));
    const name = `the service, ${whole(Buffer.byteLength(text))} bytes an answer`;
    return await compare(side(name, this.#service), rivals, effort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#service, this.#peer].map((server) => server?.[Symbol.asyncDispose]()));
  }
}

type Server = Pick<BenchService, 'address' | 'cpuSeconds'>;

async function startBare(answer: BareAnswer) {
  const server = new Remote<BareServer>(new URL('./bare-server.ts', import.meta.url));
  return {
    address: await server.call('listen', answer),
    cpuSeconds: () => server.call('cpuSeconds'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
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
