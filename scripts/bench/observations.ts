import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EMPTY_LOG, type LogHead } from '../../src/core/alerts/log/log-entry.ts';
import { sealEntry } from '../../src/core/alerts/log/seal.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Database } from '../../src/core/database.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { ObservationWriter } from '../../src/core/record/observations/observation-writer.ts';
import { Observer } from '../../src/core/record/observations/observer.ts';
import type { Trade } from '../../src/core/trades/trade.ts';
import { alertBody } from '../../src/http/views/alert-view.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { sha256 } from '../../src/infra/secrets/sha256.ts';
import { noMetrics } from '../../test/support/no-metrics.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { GeneratedVolume, START } from '../soak/generated-volume.ts';
import { atLeast, type Figure, figure, mb, median, percent, seconds, whole } from './figure.ts';
import { progress } from './progress.ts';
import { sampleAlert } from './sample-alerts.ts';
import { repeated, tapeRows } from './tape.ts';

/** Alerts of three days are observed by the minute at the same time, so the fourth day is like every later one. */
const DAYS = 4;
const ALERTS_A_DAY = 2_000;
const DAY_S = DAY_MS / SECOND_MS;
const MINUTE_S = MINUTE_MS / SECOND_MS;
const RUNS = 15;
const REPETITIONS = 5;
const LEAST_SPEED = 0.8;

/** Cost of observing at the market's volume: bytes per day, memory and time. */
export async function benchObservations(): Promise<readonly Figure[]> {
  const speed = await speedFigure();
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-observations-'));
  return [speed, ...(await new ObservedDays(join(folder.path, 'observed.db')).run())];
}

class ObservedDays {
  readonly #file: string;
  readonly #volume = new GeneratedVolume();
  readonly #observer = new Observer();
  readonly #detector = new Detector(DEFAULT_RULES, { isComplete: false }, this.#observer);
  #rows = 0;
  #alerts = 0;

  constructor(file: string) {
    this.#file = file;
  }

  async run(): Promise<readonly Figure[]> {
    const database = await openDatabase(`sqlite:${this.#file}`);
    const writer = await this.#writerOf(database);
    const sizes: number[] = [];
    let flushMs = 0;
    for (let second = 0; second < DAYS * DAY_S; second++) {
      await this.#take(second, writer);
      if ((second + 1) % MINUTE_S === 0) {
        const startedAt = performance.now();
        await writer.flush();
        if (second >= (DAYS - 1) * DAY_S) flushMs += performance.now() - startedAt;
      }
      if ((second + 1) % DAY_S !== 0) continue;
      sizes.push(bytesOf(this.#file, 'observed%'));
      progress(`day ${sizes.length} of ${DAYS}, ${whole(this.#observer.memory.use.rows)} orders remembered`);
    }
    await appendAlerts(database);
    await database.close();
    return [
      ...this.#figures(sizes, flushMs),
      figure(
        `the log, ${whole(ALERTS_A_DAY)} alerts: rows and indexes in SQLite`,
        mb(bytesOf(this.#file, 'log%')),
      ),
    ];
  }

  async #writerOf({ ingest, observations }: Database): Promise<ObservationWriter> {
    const lease = await ingest.acquire({ owner: 'bench', now: 0, ttlMs: 1, isGone: () => true });
    if (lease === null) throw new Error('the lease is held');
    const clock = { now: () => 0, sleep: async () => {} };
    return new ObservationWriter({ store: observations, clock, metrics: noMetrics }, lease, this.#observer);
  }

  /** Alerts are spread over the day's orders as they come, so that they are in markets as the trades are. */
  async #take(second: number, writer: ObservationWriter): Promise<void> {
    for (const { trade } of this.#volume.ofSecond(second)) {
      this.#detector.judge({ kind: 'trade', at: trade.at, trade });
      this.#rows += 1;
      const isDue = this.#alerts < ((second + 1) * ALERTS_A_DAY) / DAY_S;
      if (!isDue || this.#observer.memory.market(trade.marketId) === undefined) continue;
      this.#alerts += 1;
      const moment = { tradedAt: trade.at, closedAt: trade.at, detectedAt: trade.at };
      await writer.alert(candidateOf(trade, this.#alerts), moment, this.#detector.factsOf(trade.marketId));
    }
    writer.advance(START + second * SECOND_MS);
  }

  #figures(sizes: readonly number[], flushMs: number): readonly Figure[] {
    const { rows, bytes, forgotten } = this.#observer.memory.use;
    const [before = 0, after = 0] = sizes.slice(-2);
    return [
      figure('rows and alerts a day', `${whole(this.#rows / DAYS)}, ${whole(this.#alerts / DAYS)}`),
      figure('markets observed at the end', whole(this.#observer.markets)),
      figure('observations on the last day, rows and indexes in SQLite', mb(after - before)),
      figure(
        'orders remembered at the end, of markets that the rules do not ignore, and their memory',
        `${whole(rows)}, ${mb(bytes)}; ${whole(forgotten)} had to leave early`,
      ),
      figure('the same at its bound of 3,500,000 orders', mb((bytes / Math.max(1, rows)) * 3_500_000)),
      figure(
        'writing once a minute, of the processor',
        `${((flushMs / (DAY_S * SECOND_MS)) * 100).toFixed(2)} % of a core at the market’s pace`,
      ),
    ];
  }
}

/** Both detectors alternate in one process, so that the machine is the same for both. */
async function speedFigure(): Promise<Figure> {
  const tape = await tapeRows();
  // A run of a tenth of a second would measure only the first segment of memory.
  const rows = Array.from({ length: REPETITIONS }, (_, repetition) => [...repeated(tape, repetition)]).flat();
  const judge = (observer: Observer | null) => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true }, observer);
    const startedAt = performance.now();
    for (const row of rows) {
      detector.judge(row);
      observer?.advance(detector.time);
    }
    return rows.length / seconds(startedAt);
  };
  const ratios = Array.from({ length: RUNS + 3 }, () => {
    const alone = judge(null);
    return judge(new Observer()) / alone;
  }).slice(3);
  const ratio = median(ratios);
  return figure(
    `speed of the detector with an observer, as a share of that without (median of ${RUNS} rounds in one process)`,
    percent(ratio),
    atLeast(ratio, LEAST_SPEED, percent),
  );
}

function candidateOf({ marketId, title, slug }: Trade, no: number): Candidate {
  return {
    key: `bench:${no}`,
    marketId,
    eventTitle: title,
    eventSlug: slug,
    category: 'politics',
  } as Candidate;
}

/** A day of alerts in the log, as the API states them. */
async function appendAlerts({ log }: Database): Promise<void> {
  let head: LogHead = EMPTY_LOG;
  for (let id = 1; id <= ALERTS_A_DAY; id++) {
    const alert = sampleAlert(id);
    const draft = {
      kind: 'alert',
      subject: `alert:${id}`,
      at: alert.createdAt,
      body: alertBody(alert),
    } as const;
    const entry = sealEntry(draft, head, sha256);
    await log.append(entry);
    head = entry;
  }
}

/** Bytes of the pages of the tables and indexes with such a name. */
function bytesOf(file: string, name: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db
    .prepare('SELECT sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE AND name LIKE ?')
    .get(name);
  db.close();
  return Number(row?.['bytes'] ?? 0);
}
