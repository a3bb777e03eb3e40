import { alertJson } from '../../src/http/views/alert-view.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { storeAlerts } from '../../test/support/stored.ts';
import { alternate, medianOver } from './alternate.ts';
import { openSqliteFile } from './databases.ts';
import { atLeast, atMost, figure, median, ms, whole } from './figure.ts';
import { sampleAlert } from './sample-alerts.ts';
import { issueKeys, metricAt, type Server, startApi, startBare } from './service.ts';
import { StreamClients } from './stream-clients.ts';

const CLIENTS = 5_000;
/** Sockets one enterprise key may have. */
const PER_KEY = 50;
const ROUNDS = 7;
const ALERTS = 20;
const LEAST_RATIO = 0.9;
const MOST_BLOCK_MS = 15;
/** How often a server looks whether its loop was blocked. */
const LOOK_MS = 10;

interface Round {
  readonly framesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly longestBlockMs: number;
}

/** A server with many clients, and what publishes an alert to them. */
class Side {
  readonly clients = new StreamClients();
  readonly #server: Server;
  readonly #publish: (id: number) => Promise<unknown>;
  #lastId = 0;

  constructor(server: Server, publish: (id: number) => Promise<unknown>) {
    this.#server = server;
    this.#publish = publish;
  }

  async measure(): Promise<Round> {
    const before = await this.#server.cpuSeconds();
    let sendingMs = 0;
    for (let alert = 0; alert < ALERTS; alert++) {
      this.#lastId += 1;
      const sent = this.clients.expect(frameOf(this.#lastId).length * CLIENTS);
      await this.#publish(this.#lastId);
      sendingMs += await sent;
    }
    // Of the time since the metrics were last read.
    const lag = await metricAt(this.#server.address, 'nodejs_eventloop_lag_max_seconds');
    const cpu = (await this.#server.cpuSeconds()) - before;
    const frames = ALERTS * CLIENTS;
    return {
      framesPerSecond: (frames / sendingMs) * 1_000,
      cpuMicroseconds: (cpu / frames) * 1e6,
      longestBlockMs: Math.max(0, lag * 1_000 - LOOK_MS),
    };
  }
}

export async function benchBroadcast(): Promise<readonly string[]> {
  await using file = await openSqliteFile();
  const secrets = await issueKeys(file.url, Math.ceil(CLIENTS / PER_KEY));
  await using service = await startApi(file.url);
  await using bare = await startBare({ path: '/', headers: {}, text: '' });
  await using database = await openDatabase(file.url);
  const ours = new Side(service, (id) => storeAlerts(database, sampleAlert(id)));
  const theirs = new Side(bare, (id) =>
    fetch(`${bare.address}/publish`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: frameOf(id),
    }),
  );
  const paths = Array.from(
    { length: CLIENTS },
    (_, index) => `/ws/alerts?api_key=${secrets[Math.floor(index / PER_KEY)]}`,
  );
  await theirs.clients.connect(bare.address, paths, '');
  await ours.clients.connect(service.address, paths, '"connected"');
  const run = async (side: Side) => {
    await ours.clients.ping();
    return await side.measure();
  };
  for (const side of [ours, theirs]) await run(side);
  const rounds = await alternate([ours, theirs], ROUNDS, run);
  for (const side of [ours, theirs]) side.clients.close();
  return figuresOf(rounds);
}

function figuresOf(rounds: { readonly ones: readonly Round[]; readonly others: readonly Round[] }) {
  const ratio = medianOver(rounds, (our, their) => our.framesPerSecond / their.framesPerSecond);
  const cpu = medianOver(rounds, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds);
  const longest = (of: readonly Round[]) => Math.max(...of.map((round) => round.longestBlockMs));
  const speed = (of: readonly Round[]) =>
    `${whole(median(of.map((round) => round.framesPerSecond)))} frames/s, ${median(of.map((round) => round.cpuMicroseconds)).toFixed(2)} µs of processor each`;
  return [
    figure(
      `frames per second to ${whole(CLIENTS)} clients, as a share of a raw loop’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
      atLeast(ratio, LEAST_RATIO),
    ),
    figure('the same by processor time per frame', cpu.toFixed(3)),
    figure('the service', speed(rounds.ones)),
    figure('the raw loop', speed(rounds.others)),
    figure(
      'the longest block of the service’s loop in any round',
      `${ms(longest(rounds.ones))} (the raw loop’s: ${ms(longest(rounds.others))})`,
      atMost(longest(rounds.ones), MOST_BLOCK_MS, ' ms'),
    ),
  ];
}

/** The frame of a sample alert, as long as the service's: its hash is another. */
function frameOf(id: number): Buffer {
  const alert = alertJson({ ...sampleAlert(id), log: { seq: id, hash: '0'.repeat(64) } });
  const payload = Buffer.from(`{"type":"alert","data":${alert}}`);
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
