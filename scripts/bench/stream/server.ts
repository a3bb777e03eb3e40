import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WebSocketServer } from 'ws';
import { parseConfig } from '../../../src/config.ts';
import { createContainer } from '../../../src/container.ts';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { sampleAlert } from '../sample-alerts.ts';
import type { Measured, ServerAnswer, ServerOrder, Settings } from './messages.ts';

const SAMPLE_MS = 100;
const MB = 2 ** 20;

interface Publisher {
  readonly port: number;
  /** Resolves with the moment at which sending began. */
  publish(id: number): Promise<number>;
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let peakMb = 0;
let lastId = 0;
let writingCpuSeconds = 0;
let publisher: Publisher | null = null;
process.on('disconnect', () => process.exit());
setInterval(() => {
  peakMb = Math.max(peakMb, rssMb());
}, SAMPLE_MS);

process.on('message', (order: ServerOrder) => {
  void obey(order).then((answer) => process.send?.(answer));
});

async function obey(order: ServerOrder): Promise<ServerAnswer> {
  switch (order.do) {
    case 'start':
      publisher = order.kind === 'service' ? await startService(order.settings) : await startRaw();
      return { did: 'start', port: publisher.port };
    case 'publish':
      lastId += 1;
      return { did: 'publish', bytes: frameOf(lastId).length, at: (await publisher?.publish(lastId)) ?? 0 };
    case 'reset':
      delay.reset();
      peakMb = rssMb();
      return { did: 'reset' };
    case 'measure':
      return { did: 'measure', ...measured() };
    case 'collect':
      globalThis.gc?.();
      return { did: 'collect' };
  }
}

async function startService(settings: Settings): Promise<Publisher> {
  const parsed = parseConfig({ PORT: '0', ROLES: 'api', ...settings });
  if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
  const container = await createContainer(parsed.config, { logger: silentLogger });
  const { address } = await container.start();
  return {
    port: address === null ? 0 : Number(new URL(address).port),
    async publish(id) {
      const alert = sampleAlert(id);
      const before = cpuSeconds();
      await container.database.alerts.append(alert);
      writingCpuSeconds += cpuSeconds() - before;
      const at = performance.timeOrigin + performance.now();
      container.feed.announce(alert);
      return at;
    },
  };
}

/** What one writes who wants nothing but speed: one framed buffer, one loop over all clients. */
async function startRaw(): Promise<Publisher> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const raw = new Set<import('node:net').Socket>();
  sockets.on('connection', (client, request) => {
    client.on('error', () => {});
    client.on('close', () => raw.delete(request.socket));
    raw.add(request.socket);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async publish(id) {
      const frame = frameOf(id);
      const at = performance.timeOrigin + performance.now();
      for (const socket of raw) socket.write(frame);
      return at;
    },
  };
}

/** A text frame of the alert, as both sides send it. */
function frameOf(id: number): Buffer {
  const payload = Buffer.from(`{"type":"alert","data":${alertJson(sampleAlert(id))}}`);
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

function measured(): Measured {
  return {
    cpuSeconds: cpuSeconds() - writingCpuSeconds,
    longestBlockMs: Math.max(0, delay.max / 1e6 - 1),
    peakMb: Math.max(peakMb, rssMb()),
    heldMb: heldMb(),
    sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function heldMb(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

function rssMb(): number {
  return process.memoryUsage.rss() / MB;
}
