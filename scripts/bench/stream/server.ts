import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WebSocketServer } from 'ws';
import { createContainer } from '../../../src/container.ts';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { configOf } from '../../../test/support/config.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { cpuSeconds } from '../figure.ts';
import { serve } from '../remote.ts';
import { sampleAlert } from '../sample-alerts.ts';

type Settings = Readonly<Record<string, string>>;

interface Publisher {
  readonly port: number;
  publish(id: number): Promise<number>;
}

const LOOK_MS = 1;

const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
delay.enable();
let lastId = 0;
let writingCpuSeconds = 0;
let publisher: Publisher | null = null;

const functions = {
  async start(kind: 'service' | 'raw', settings: Settings): Promise<number> {
    publisher = kind === 'service' ? await startService(settings) : await startRaw();
    return publisher.port;
  },
  /** Publishes one alert. Returns how many bytes every client is sent for it, and when the sending began (ms since the epoch). */
  async publish(): Promise<{ readonly bytes: number; readonly at: number }> {
    lastId += 1;
    return { bytes: frameOf(lastId).length, at: (await publisher?.publish(lastId)) ?? 0 };
  },
  reset: () => delay.reset(),
  measure() {
    return {
      /** Without what it took to write alerts to the database. */
      cpuSeconds: cpuSeconds() - writingCpuSeconds,
      longestBlockMs: Math.max(0, delay.max / 1e6 - LOOK_MS),
    };
  },
};

export type StreamServer = typeof functions;

serve(functions);

async function startService(settings: Settings): Promise<Publisher> {
  const config = configOf({ PORT: '0', ROLES: 'api', ...settings });
  const container = await createContainer(config, { logger: silentLogger });
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
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

function frameOf(id: number): Buffer {
  const payload = Buffer.from(`{"type":"alert","data":${alertJson(sampleAlert(id))}}`);
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
