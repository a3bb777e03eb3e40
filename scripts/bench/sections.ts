import { benchAttack } from './attack.ts';
import { benchBurst } from './burst.ts';
import { benchCards } from './cards.ts';
import { benchRush } from './chat/rush.ts';
import { benchDetector } from './detector.ts';
import type { Figure } from './figure.ts';
import { benchFlood } from './flood.ts';
import { benchHotMarkets } from './hot-markets.ts';
import { benchLatest } from './latest.ts';
import { benchLimited } from './limited.ts';
import { benchSoak } from './live/soak.ts';
import { benchMemory } from './memory.ts';
import { benchObservations } from './observations.ts';
import { benchRecord } from './record/record.ts';
import { benchReplay } from './replay.ts';
import { benchSearch } from './search.ts';
import { benchPaint } from './site/paint.ts';
import { benchSite } from './site/views.ts';
import { benchBroadcast } from './stream/broadcast.ts';
import { benchLatency } from './stream/latency.ts';
import { benchUnread } from './stream/unread.ts';
import { benchTransfer } from './transfer.ts';
import { benchServiceVolume, benchVolume } from './volume.ts';
import { benchWarmKey } from './warm-key.ts';
import { benchDeliveries } from './webhooks/deliveries.ts';
import { benchSick } from './webhooks/sick.ts';
import { benchWide } from './webhooks/wide.ts';

/** A part of the benchmarks that can be run alone. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** How it was measured, for readers of the figures. */
  readonly method: string;
  /** Measured only when it is named: it takes as long as all the others. */
  readonly isLong?: true;
  run(): Promise<readonly Figure[]>;
}

/** How sides are compared (compare.ts). */
const TURNS =
  'The service, a bare Fastify whose one route sends the same bytes, FastAPI with the same endpoint over the same file (scripts/bench/peer) and autocannon: four processes. The servers alternate in short rounds; each round gives one ratio. FastAPI’s answer is the same JSON, checked before.';

/** The market of the soaks (scripts/soak). */
const VOLUME =
  'Generated trades, 38 a second with bursts of 100: 60,000 wallets a day by Zipf’s law, of which 5,000 trade anywhere and the others in few markets, two thirds of those on one day only; 24,000 new price markets a day, which the rules ignore, and 4,000 of elections. Orders have a median of 12 USDC.';

export const SECTIONS: readonly Section[] = [
  {
    name: 'detector',
    title: 'Detector',
    method:
      'The rows of the tape are parsed before; a fresh detector judges all of them, after 3 runs to warm up.',
    run: benchDetector,
  },
  {
    name: 'replay',
    title: 'Replay, end to end',
    method:
      'The whole service with an empty database: from its start, over reading and parsing the tape, until every alert and the last snapshot are written.',
    run: benchReplay,
  },
  {
    name: 'burst',
    title: '250 alerts in one second',
    method:
      'The whole service on an empty SQLite file plays a tape of 250 first buys in one second, which one row closes; as it is, and with each synced write 10 ms longer than the disk takes. The block of the loop is the longest delay that `monitorEventLoopDelay` saw from the moment at which the service listens until the last snapshot is written, without the millisecond between its samples.',
    run: benchBurst,
  },
  {
    name: 'memory',
    title: 'Memory',
    method:
      'The tape again and again through one detector, later each time and with wallets and transactions never seen before; measured after a forced collection.',
    run: benchMemory,
  },
  {
    name: 'latest',
    title: '`GET /alerts/latest` against bare Fastify and FastAPI',
    method: `${TURNS} FastAPI keeps the newest alerts in memory as well, and shapes them by its models for each answer; what it does with ready bytes is beside it.`,
    run: benchLatest,
  },
  {
    name: 'key',
    title: 'A key that was verified before',
    method: `The check in a loop, then \`GET /alerts/latest?limit=1\` over an archive of one alert. ${TURNS} FastAPI looks the key’s SHA-256 up in a table; it never reads a key’s row again, as the service does every 4 s.`,
    run: benchWarmKey,
  },
  {
    name: 'limited',
    title: 'A key over its limit',
    method: `A free key that has used up its minute; every answer is a 429. ${TURNS} FastAPI counts in memory.`,
    run: benchLimited,
  },
  {
    name: 'search',
    title: '`GET /alerts` as the archive grows',
    method: `A fixed mix of 14 searches over HTTP with a key, one at a time, each 150 times after 20 to warm up. 2,000 markets, 50,000 wallets; the small archive is the beginning of the large one. A filter’s first search counts its matches; later ones count only what changed since. Processor time contains that of reading the metric. Under load, on SQLite: four searches, each alone over 10 connections. ${TURNS} FastAPI counts the matches and reads the page for each answer, a query each.`,
    run: benchSearch,
  },
  {
    name: 'attack',
    title: '`GET /alerts` while three keys attack',
    method:
      '500,000 alerts. A key searches, one request after the other, a filter of four never asked before. In every second round of 3 s three Pro keys send 290 searches each with filters never asked before, 50 ahead on a connection, and hang up after 0.7 s; each attacks once. All are in one process.',
    run: benchAttack,
  },
  {
    name: 'hot',
    title: '`GET /hot-markets` at 1,000,000 alerts while alerts arrive',
    method: `One alert each 30 s up to now, SQLite; while the servers alternate, alerts of the present moment are appended to the same file, each durable before the next. ${TURNS} FastAPI sums up in one query and remembers what came out for 2 s.`,
    run: benchHotMarkets,
  },
  {
    name: 'record',
    title: 'The record',
    method:
      'A generated database: each event has one market and five alerts, observed by the minute for 93 hours with 12 orders an hour, five times as dense as the midterms of 2022. The service with the roles `api` and `jobs`; an operator has the record made (`tipoff admin run record now`), in a thread of the service with its own connection. The block of the loop is the longest delay that `monitorEventLoopDelay` saw.',
    run: benchRecord,
  },
  {
    name: 'transfer',
    title: 'Backup and restore',
    method:
      'An archive of 100,000 sample alerts is written to a backup, which is restored into an empty database of the same kind. Each table is compared at the end.',
    run: benchTransfer,
  },
  {
    name: 'flood',
    title: 'A flood of unknown keys',
    method: 'Well-formed keys that were never issued, each tried once, over 50 connections.',
    run: benchFlood,
  },
  {
    name: 'broadcast',
    title: 'The stream: one alert to many clients',
    method:
      'Two servers alternate in short rounds: the service, and a raw loop over the sockets of `ws` with one buffer that was framed before. A process of bare sockets for each reads and counts bytes; the next alert is published when all have the last. The time runs from the moment at which an alert is in the database until the last client has it. The block of the loop is the longest delay that `monitorEventLoopDelay` saw, garbage collection included.',
    run: benchBroadcast,
  },
  {
    name: 'latency',
    title: 'The stream: from a trade to its frame',
    method:
      'Trades are appended to a tape that the service follows (`tail:`), 10 every 10 ms and a `close` row behind them; the time runs from the end of the write until a client of the stream has the alert’s frame. SQLite, every alert durable before it is sent.',
    run: benchLatency,
  },
  {
    name: 'unread',
    title: 'The stream: clients that never read',
    method:
      'Clients connect and read nothing while alerts flow as fast as they are written. Heap and buffers are measured after a forced collection.',
    run: benchUnread,
  },
  {
    name: 'webhooks',
    title: 'Webhooks: deliveries to 500 receivers',
    method:
      '500 webhooks of 25 keys, each at a host of its own, over TLS; one process answers for all receivers. The next alert is sent when all have the last, ten a round. The service on SQLite and a bare loop over undici’s `request` alternate, with as many requests in flight, as many connections a host, and connections kept for as long.',
    run: benchDeliveries,
  },
  {
    name: 'sick',
    title: 'Webhooks: healthy receivers beside sick ones',
    method:
      'One alert every 100 ms, on SQLite and over TLS: 20 to warm up, then 50 that count. The rounds alternate: alone, beside 80 more healthy ones, beside 80 sick ones; those not measured are paused.',
    run: benchSick,
  },
  {
    name: 'wide',
    title: 'Webhooks: one alert to 10,000, by one process and by four',
    method:
      '10,000 webhooks of 500 keys, each at a host of its own, on a MongoDB without a replica set. Processes of their own run the engine with a sender that answers instead of a receiver, so that handshakes are left out. After six alerts for each process to warm up, nine that are answered immediately, one after another, then one that is answered after 2 s. The time runs from the insert of the alert by another process to the end of its last delivery. Inserts are those that mongod counts; processor time is that of the processes that deliver.',
    run: benchWide,
  },
  {
    name: 'chat',
    title: 'The chat: a thousand users write within a second',
    method:
      'Three processes: the service with the roles `api` and `bots` on SQLite; a fake Bot API with the limits of Telegram (30 messages a second, one a second in a chat) and its users; a client that asks the API, over an archive of 10,000 alerts. First each user writes `/start`; then others ask for a key, tapping as soon as there is something to tap; argon2 hashes one key at a time. The delay of the event loop is that of `monitorEventLoopDelay` without the 10 ms between its samples.',
    run: benchRush,
  },
  {
    name: 'cards',
    title: 'Pictures of alerts',
    method:
      '200 generated alerts, each drawn once by the thread of the service, one after the other. The block of the loop is the longest delay that `monitorEventLoopDelay` saw, without the millisecond between its samples.',
    run: benchCards,
  },
  {
    name: 'site',
    title: 'The site: 200 views a second beside the API',
    method:
      'The midterms of 2022 with their prices, and 10,000 sample alerts after them up to now. 200 views a second of 1,000 addresses: half of lists, a third of alerts, the others of markets, wallets and the pages of the header; each fifth visitor loads the files of a page, too. 1,000 pages stay open; each 10 s an alert passes the free delay, and each open page reads itself again within 1.5 s. A client asks the API 100 times a second. Rounds of 20 s without visitors and with them alternate; the cost is the difference of the service’s processor time.',
    run: benchSite,
  },
  {
    name: 'site-paint',
    title: 'The site: pages in a browser with a slow processor',
    method:
      'Chromium of npm without a graphics processor, its processor slowed down four times, at 390 px with an empty cache, over loopback; the midterms of 2022 up to two days after the election. Paint and shift are what the browser itself reports; bytes are as sent, headers included. Seven loads after one that makes the page.',
    run: benchPaint,
  },
  {
    name: 'soak',
    title: 'The live market: a day of trades',
    isLong: true,
    method:
      'The service with the roles `ingest` and `api` on SQLite, on the market simulator (test/support/market), 24 hours of a generated tape at 60 times its own pace: 5 trades a second on average, 25 in bursts, 400 markets, 5,000 wallets of long ago and a new one each 12 seconds. Refusals, hangs, garbage, repeats and lost streams all the time; for ten minutes no facts, for two no answer at all. Memory is measured in the service after a forced collection, each half hour from the second hour on, while the tape stands still; objects are those on the heap (`v8.queryObjects`), a Listener one listener of any EventTarget.',
    run: benchSoak,
  },
  {
    name: 'observations',
    title: 'Observations and the log: bytes a day, memory and time',
    isLong: true,
    method: `${VOLUME} Four days through the detector with an observer; of each day's orders 2,000 are taken for alerts as they come, and observations are written to an SQLite file each minute. The log has 2,000 generated alerts with all their details.`,
    run: benchObservations,
  },
  {
    name: 'volume',
    title: 'A soak of the detector at the market’s volume',
    isLong: true,
    method: `${VOLUME} Wallets that accumulate over 5 days and clusters are planted each day. The detector alone on 15 days, with a snapshot each minute in an SQLite file; wallet facts are provided when they are needed.`,
    run: benchVolume,
  },
  {
    name: 'volume-service',
    title: 'A soak of the service at the market’s volume',
    isLong: true,
    method: `${VOLUME} The service with the roles \`ingest\` and \`api\` on SQLite, with polling and the stream and no node, on 6 hours at 10 times the market’s pace, on the market simulator as the market was measured (CDN, lags, limits).`,
    run: benchServiceVolume,
  },
];
