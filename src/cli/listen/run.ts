import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../core/base/user-error.ts';
import { PROGRAM } from '../../infra/process/program.ts';
import {
  commandOf,
  DATABASE_URL,
  interruptible,
  isCreated,
  numberOf,
  PORTS,
  withDatabase,
} from '../command.ts';
import { type DemoAccess, findDemo } from '../demo-folder.ts';
import { runningAddress } from '../running-service.ts';
import { createTerminal } from '../terminal.ts';
import { deliveryReport } from './delivery-report.ts';
import { LocalService } from './local-service.ts';
import { createReceiver } from './receiver.ts';

const LOOPBACK = '127.0.0.1';
const DEFAULT_URL = `http://${LOOPBACK}:8080`;
const LOOPBACK_HOSTS = [LOOPBACK, 'localhost', '[::1]'];

export const listenCommand = commandOf({
  about: 'Receives the webhooks of a service on this computer, verifies them and prints them, until Ctrl-C.',
  usage: 'listen [options]',
  options: {
    url: {
      type: 'string',
      value: 'ADDRESS',
      help: `of the service (default: of the demo that was started last; with a key, of the service on DATABASE_URL, else ${DEFAULT_URL})`,
    },
    key: {
      type: 'string',
      value: 'sk_live_…',
      help: 'an Enterprise key (default TIPOFF_API_KEY, else that of the running demo)',
    },
    port: { type: 'string', value: 'N', help: 'port to listen on (default: a free one)' },
    json: {
      type: 'boolean',
      help: 'one JSON object for each delivery, with its body; everything else goes to stderr',
    },
  },
  notes: `Registers a webhook for alerts, outcomes and exits, requests a test, and removes the webhook at the end.
A service of your own must allow such a webhook: WEBHOOK_ALLOW_PRIVATE=true, for development.
Exit codes: 0, 1 if the webhook could not be removed, 2 if something must be changed first.`,
  async run({ json = false, port, ...given }) {
    const wantedPort = port === undefined ? 0 : numberOf('--port', port, PORTS);
    const { words, ...access } = await serviceOf(given, process.env);
    const service = new LocalService(access);
    const terminal = createTerminal(process.stdout);
    const say = json ? (text: string) => void process.stderr.write(`${text}\n`) : terminal.prose;
    const report = deliveryReport({ terminal, isJson: json });
    say(words);
    await interruptible(async (signal, stop) => {
      terminal.closed.addEventListener('abort', stop);
      await listen({ service, port: wantedPort, say, report }, signal);
    });
  },
});

interface Listening {
  readonly service: LocalService;
  /** 0: a free one. */
  readonly port: number;
  readonly say: (text: string) => void;
  readonly report: ReturnType<typeof deliveryReport>;
}

async function listen({ service, port, say, report }: Listening, signal: AbortSignal): Promise<void> {
  const receiver = Promise.withResolvers<RequestListener>();
  // A delivery may come before the answer that has the secret.
  const server = createServer(async (request, response) => (await receiver.promise)(request, response));
  // A key has one webhook per URL, and one that was killed left its own.
  const target = `http://${LOOPBACK}:${await listeningPort(server, port)}/${randomUUID()}`;
  try {
    const { id, secret } = await service.register(target);
    receiver.resolve(createReceiver({ secret, ...report }));
    say(`Listening at ${target} for ${service.url}, webhook ${id}. Ctrl-C removes it.`);
    try {
      const problem = await service.test(id);
      if (problem !== null) say(problem);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await remove(service, id, say);
      const { verified, refused } = report.counts();
      say(`Deliveries: ${verified} verified, ${refused} refused.`);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function remove(service: LocalService, id: string, say: (text: string) => void): Promise<void> {
  try {
    await service.remove(id);
    say(`Webhook ${id} is removed.`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.exitCode = 1;
    say(
      `Webhook ${id} could not be removed. ${error.message} Webhooks of a demo end with it; another service keeps this one until DELETE /api/v1/webhooks/${id}.`,
    );
  }
}

async function listeningPort(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UserError(
      error.code === 'EADDRINUSE'
        ? `--port: ${port} is taken; choose another, or leave it out for a free one.`
        : `--port: ${port} cannot be used (${error.code}).`,
    );
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The service and its key: as given, or a running demo's. `words`: which service was taken. */
export async function serviceOf(
  given: { readonly url?: string; readonly key?: string },
  { TIPOFF_API_KEY }: Environment,
): Promise<DemoAccess & { readonly words: string }> {
  const url = given.url === undefined ? null : localAddress(given.url);
  const key = given.key ?? TIPOFF_API_KEY;
  if (key) {
    const service = url ?? (await ownAddress()) ?? DEFAULT_URL;
    return { url: service, key, words: `The service at ${service}.` };
  }
  const demo = await findDemo();
  if (demo !== null && (url ?? demo.url) === demo.url) return { ...demo, words: `The demo at ${demo.url}.` };
  throw new UserError(
    `No demo is running${url === null ? '' : ` at ${url}`}. Start one in another terminal: ${PROGRAM} demo. For another service, give an Enterprise key: --key, or TIPOFF_API_KEY.`,
  );
}

/** Of the service that runs on `DATABASE_URL`. */
async function ownAddress(): Promise<string | null> {
  return isCreated(DATABASE_URL) ? withDatabase(DATABASE_URL, runningAddress) : null;
}

function localAddress(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && LOOPBACK_HOSTS.includes(url.hostname))
    return url.href.replace(/\/+$/, '');
  throw new UserError(
    `--url: expected the address of a service on this computer, like ${DEFAULT_URL}: webhooks are sent to ${LOOPBACK}.`,
  );
}
