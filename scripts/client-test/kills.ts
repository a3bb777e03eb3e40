import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/infra/database/database.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { sampleAlert } from '../bench/sample-alerts.ts';
import { issueKeys } from '../bench/service.ts';
import { GrowingTape } from '../chaos/chaos-tape.ts';
import { Member } from '../chaos/member.ts';
import { Follower } from './follower.ts';
import type { ClientPrograms } from './programs.ts';

/** Alerts before the clients connect: 2,000 more than the stream sends. */
const MISSED = 12_000;
const TRADE_EVERY_MS = 250;
/** The service dies at a random moment within this time after the clients got their first alert from it. */
const LIFE_MS = 1_500;
const PATIENCE_MS = 120_000;
const TRIAL_ENDED = '4403 trial_ended';

interface Kills {
  readonly folder: string;
  readonly kills: number;
  readonly clients: readonly ClientPrograms[];
  /** Called after each kill with the ids of each client so far. */
  readonly onKill: (kill: number, received: readonly number[]) => void;
}

/** What happened, in words. */
export interface KillsResult {
  readonly summary: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Clients follow a service that ingests a growing tape, from the first of more than 10,000 alerts on, while it is killed and
 * started again; then their trial ends. Each must have received every alert once, in order, and end with the reason.
 */
export async function followThroughKills({ folder, kills, clients, onKill }: Kills): Promise<KillsResult> {
  const url = `sqlite:${join(folder, 'kills.db')}`;
  await fill(url);
  const keys = await issueKeys(url, clients.length, 'pro');
  const tape = new GrowingTape(join(folder, 'tape.jsonl'), TRADE_EVERY_MS);
  const settings = { DATABASE_URL: url, MARKET_SOURCE: `tail:${tape.file}`, SNAPSHOT_SECONDS: '1' };
  const service = await Member.create('service', settings);
  const followers: Follower[] = [];
  try {
    await tape.start();
    service.start();
    await service.logged('listening');
    for (const [index, programs] of clients.entries()) {
      followers.push(await Follower.start(programs, { url: service.address, apiKey: keys[index] ?? '' }));
    }
    for (let kill = 1; kill <= kills; kill += 1) {
      // The first kill interrupts the reading of the archive.
      await progress(followers, kill === 1 ? 0 : 1);
      await delay(kill === 1 ? 0 : Math.random() * LIFE_MS);
      await service.killAndRestart();
      const received = followers.map(({ ids }) => ids.length);
      onKill(kill, received);
    }
    await tape.stop();
    const last = await caughtUp(url, followers);
    await endTrials(url);
    const errors = await Promise.all(followers.map((follower) => follower.ended()));
    return resultOf(followers, last, errors);
  } finally {
    await tape.stop();
    await Promise.all(followers.map((follower) => follower.stop()));
    if (service.isRunning) await service.end('SIGKILL');
  }
}

async function fill(url: string): Promise<void> {
  const database = await openDatabase(url);
  try {
    for (let id = 1; id <= MISSED; id += 1) await database.alerts.append(sampleAlert(id));
  } finally {
    await database.close();
  }
}

/** Resolves when each client has made so many more connections, and then has got another alert. */
async function progress(followers: readonly Follower[], connections: number): Promise<void> {
  const connected = followers.map((follower) => follower.connections + connections);
  await eachUntil(
    followers,
    (follower, index) => follower.connections >= (connected[index] ?? 0),
    'a connection',
  );
  const received = followers.map(({ ids }) => ids.length);
  await eachUntil(followers, ({ ids }, index) => ids.length > (received[index] ?? 0), 'an alert');
}

/** The newest alert once all clients have it, and no other has followed. */
async function caughtUp(url: string, followers: readonly Follower[]): Promise<number> {
  const database = await openDatabase(url);
  try {
    for (let last = -1; ; ) {
      const newest = (await database.alerts.last())?.id ?? 0;
      if (newest === last) return last;
      last = newest;
      await eachUntil(followers, ({ ids }) => (ids.at(-1) ?? 0) >= newest, `alert ${newest}`);
    }
  } finally {
    await database.close();
  }
}

async function eachUntil(
  followers: readonly Follower[],
  isDone: (follower: Follower, index: number) => boolean,
  what: string,
): Promise<void> {
  const ask = () => {
    for (const follower of followers) follower.check();
    return followers.every(isDone) ? true : null;
  };
  await waitUntil(ask, { timeoutMs: PATIENCE_MS, everyMs: 20, what: `${what} at each client` });
}

async function endTrials(url: string): Promise<void> {
  const database = await openDatabase(url);
  try {
    for (const { id } of await database.keys.list()) await database.keys.setTier(id, 'pro', Date.now() - 1);
  } finally {
    await database.close();
  }
}

function resultOf(followers: readonly Follower[], last: number, errors: readonly string[]): KillsResult {
  const problems = followers.flatMap(({ name, ids, incomplete, fills, end }, index) => {
    const wrong = ids.findIndex((id, at) => id !== at + 1);
    return [
      ...(wrong === -1 ? [] : [`alert ${ids[wrong]} came in the place of ${wrong + 1}`]),
      ...(ids.length < last ? [`${last - ids.length} alerts are missing`] : []),
      ...(incomplete === 0 ? [] : [`${incomplete} alerts without all fields`]),
      ...(fills === 0 ? ['no gap was filled'] : []),
      ...(end === TRIAL_ENDED ? [] : [`ended with ${end}, not with ${TRIAL_ENDED}: ${errors[index]}`]),
    ].map((problem) => `${name}: ${problem}`);
  });
  const summary = followers.map(
    ({ name, ids, connections, fills, end }) =>
      `${name}: ${ids.length} alerts in order over ${connections} connections, ${fills} gaps filled, ended with ${end}`,
  );
  return { summary, problems };
}
