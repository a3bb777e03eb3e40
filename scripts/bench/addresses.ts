import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'undici';
import { onEachDatabase, seed } from './databases.ts';
import { atMost, figure, median, ms, percentile, whole } from './figure.ts';
import { ask, askEvenly } from './load.ts';
import { startApi } from './service.ts';

const API = '/api/v1/alerts/latest';
const ADDRESSES = 700;
const ALERTS = 40_000;
const FREE_DELAY_MS = 300_000;
const CALLS_PER_SECOND = 100;
const CONNECTIONS = 50;
const MEASURED_MS = 15_000;
/** Until each address has asked once. */
const SETTLE_MS = 5_000;
const NEWCOMERS_PER_SECOND = 2;
const HEALTH_CHECKS_PER_SECOND = 20;
const MOST_NEWCOMER_MS = 2_000;
const MOST_HEALTH_MS = 100;
const MOST_RATIO = 3;

/** What everyone else notices while many addresses ask for pages, each for one after the other. None of these pages is cached. */
export function benchAddresses(): Promise<readonly string[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using file = await open();
    await seed(file.url, { after: 0, upto: ALERTS, endsAt: Date.now() - 2 * FREE_DELAY_MS });
    await using service = await startApi(file.url, { PUBLIC_REQUESTS_PER_MINUTE: '60' });
    const { address, headers } = service;
    await service.untilIndexIsFilled();
    const caller = new Pool(address, { connections: CONNECTIONS });
    const call = () => ask(caller, API, headers);
    const alone = await askEvenly(CALLS_PER_SECOND, AbortSignal.timeout(MEASURED_MS), call);
    const end = new AbortController();
    const crowd: Crowd = { address, signal: end.signal, answered: 0, refused: 0 };
    const asking = Array.from({ length: ADDRESSES }, (_, index) => askOn(crowd, index));
    await sleep(SETTLE_MS);
    const signal = AbortSignal.timeout(MEASURED_MS);
    const probe = new Pool(address, { connections: CONNECTIONS });
    const [beside, newcomers, health] = await Promise.all([
      askEvenly(CALLS_PER_SECOND, signal, call),
      askEvenly(NEWCOMERS_PER_SECOND, signal, (index) => askOnce(address, ADDRESSES + index)),
      askEvenly(HEALTH_CHECKS_PER_SECOND, signal, () => ask(probe, '/healthz', {})),
    ]);
    end.abort();
    await Promise.all([...asking, caller.close(), probe.close()]);
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
    const slowest = Math.max(...newcomers);
    const healthMs = Math.max(...health);
    return [
      figure(
        `${name}: a newcomer’s page beside ${ADDRESSES} addresses, median and slowest`,
        `${ms(median(newcomers))}, ${ms(slowest)}`,
        atMost(slowest, MOST_NEWCOMER_MS, ' ms'),
      ),
      figure(
        `${name}: pages per second, and those refused`,
        `${whole((crowd.answered * 1_000) / (SETTLE_MS + MEASURED_MS))}, ${crowd.refused}`,
        atMost(crowd.refused, 0),
      ),
      figure(`${name}: slowest /healthz`, ms(healthMs), atMost(healthMs, MOST_HEALTH_MS, ' ms')),
      figure(
        `${name}: p99 of \`GET ${API}\` as a multiple of that without them`,
        `${ratio.toFixed(2)} (${ms(percentile(alone, 0.99))} → ${ms(percentile(beside, 0.99))})`,
        atMost(ratio, MOST_RATIO),
      ),
    ];
  });
}

let lastPage = 0;

/** Alerts and filtered lists, each once. */
function nextPath(): string {
  lastPage += 1;
  return lastPage % 2 === 0 ? `/alerts/${(lastPage % ALERTS) + 1}` : `/?min_usdc=${lastPage}`;
}

/** A connection from a loopback address of its own. */
function clientOf(address: string, index: number): Client {
  return new Client(address, { localAddress: `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}` });
}

interface Crowd {
  readonly address: string;
  readonly signal: AbortSignal;
  answered: number;
  refused: number;
}

async function askOn(crowd: Crowd, index: number): Promise<void> {
  const client = clientOf(crowd.address, index);
  while (!crowd.signal.aborted) {
    const isAnswered = await ask(client, nextPath(), {}).then(Boolean, () => false);
    if (isAnswered) crowd.answered += 1;
    else crowd.refused += 1;
  }
  await client.close();
}

async function askOnce(address: string, index: number): Promise<number> {
  const client = clientOf(address, index);
  const tookMs = await ask(client, nextPath(), {}).catch(() => Number.POSITIVE_INFINITY);
  await client.close();
  return tookMs;
}
