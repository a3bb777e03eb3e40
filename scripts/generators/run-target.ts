import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { operationsOf } from '../../test/support/fuzz/document-parts.ts';
import type { CheckedAnswer } from '../../test/support/openapi-checker.ts';
import type { ServiceOverArchive } from '../../test/support/service-over-archive.ts';
import { bodyOf } from '../../test/support/tls/https-server.ts';
import { accepted } from '../support/tools.ts';
import { type Call, callsOf, type Resources } from './calls.ts';
import { problemsOf, type Reported } from './judge.ts';
import type { Program, Target } from './targets.ts';

export interface Verdict {
  /** Null where the client is only generated. */
  readonly called: number | null;
  readonly problems: readonly string[];
}

export async function runTarget(
  target: Target,
  service: ServiceOverArchive,
  folder: string,
): Promise<Verdict> {
  const client = join(folder, target.name.replaceAll(' ', '-'));
  await mkdir(client);
  const document = join(client, 'openapi.json');
  await writeFile(document, JSON.stringify(service.document));
  await target.generate(client, document);
  if (target.compile === undefined) return { called: null, problems: [] };
  const program = await target.compile(client);
  const calls = callsOf(operationsOf(service.document), await createResources(service));
  await using recorder = await startRecorder(service.address);
  const reported = await callAll(program, calls, { address: recorder.address, key: service.keys.enterprise });
  return { called: calls.length, problems: problemsOf(service.document, recorder.answers, reported) };
}

async function callAll(
  { command, args, cwd, env = {} }: Program,
  calls: readonly Call[],
  { address, key }: { readonly address: string; readonly key: string },
): Promise<Reported[]> {
  const file = join(cwd, 'calls.json');
  await writeFile(file, JSON.stringify(calls));
  const { stdout } = await accepted(command, [...args, address, file], {
    cwd,
    env: { ...env, TIPOFF_API_KEY: key },
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Reported);
}

async function createResources({ address, keys }: ServiceOverArchive): Promise<Resources> {
  async function asked<Body>(path: string, body?: object): Promise<Body> {
    const answer = await fetch(address + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${keys.enterprise}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  }
  const [latest] = await asked<{ id: number }[]>('/api/v1/alerts/latest');
  const path = `/api/v1/alerts/${latest?.id}`;
  const alert = await asked<{ id: number; wallet_address: string; market_id: string }>(path);
  const preset = await asked<{ id: string }>('/api/v1/presets', { name: 'P', filters: { min_signal: 1 } });
  const webhook = await asked<{ id: string }>('/api/v1/webhooks', { url: 'https://example.com/hook' });
  return {
    alert: alert.id,
    wallet: alert.wallet_address,
    market: alert.market_id,
    preset: preset.id,
    webhook: webhook.id,
  };
}

/** Clients in every language are recorded alike: some keep no bytes of an answer. */
async function startRecorder(service: string) {
  const answers: CheckedAnswer[] = [];
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const sent = new Uint8Array(await bodyOf(request));
    const answer = await fetch(service + path, {
      method,
      headers: headersOf(request),
      ...(sent.length > 0 && { body: sent }),
    });
    const body = await answer.text();
    const { status, headers } = answer;
    const contentType = headers.get('content-type');
    answers.push({ method, path, status, contentType, body });
    response.writeHead(status, contentType === null ? {} : { 'content-type': contentType }).end(body);
  }
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'content-type', 'accept', 'if-none-match'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}
