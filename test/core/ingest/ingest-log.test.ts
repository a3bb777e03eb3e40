import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import type { IngestDeps } from '../../../src/core/ingest/ingest-deps.ts';
import type { TimeMapping } from '../../../src/core/trades/source/source.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { arraySource } from '../../support/array-source.ts';
import { ledgerParts } from '../../support/ledger.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { marketRow, START, tradeRow } from '../../support/rows.ts';
import { wholeLog } from '../../support/whole-log.ts';
import { ingestOver, quickClock } from './rebuild-fixture.ts';

const NOW = START + 500_000;
const rows: readonly Row[] = [
  tradeRow({ usdc: 2_000 }),
  marketRow({ payouts: [1, 0], at: START + 60_000 }),
  marketRow({ id: '0xm2', payouts: [1, 0] }),
];
/** A day later, at double speed. */
const mapping: TimeMapping = { pivot: START, origin: START + 86_400_000, speed: 2, hasHistory: false };

describe('the log of an ingest', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:');
  });
  afterEach(() => database.close());

  const entries = () => wholeLog(database);

  async function runUntil(check: () => Promise<void>, given: Partial<IngestDeps> = {}): Promise<void> {
    const stop = new AbortController();
    const openSource: IngestDeps['openSource'] = async (checkpoint) => arraySource(rows, checkpoint);
    const ingest = ingestOver(database, { openSource, clock: quickClock(() => NOW), ...given });
    const running = ingest.run(stop.signal);
    await vi.waitFor(check);
    stop.abort();
    await running;
  }

  const untilEntries = (count: number) => async () => expect(await entries()).toHaveLength(count);
  const isMapped: Pick<IngestDeps, 'openSource'> = {
    openSource: async (checkpoint) => ({ ...arraySource(rows, checkpoint), mapping }),
  };

  test('begins on a replay with the rules, dated with its origin; a market settled has a settlement of its row’s published time, or of the source’s time then', async () => {
    await runUntil(untilEntries(4), isMapped);

    const [rulesEntry, ...others] = await entries();
    expect(rulesEntry).toMatchObject({ kind: 'rules', key: 'rules:0', at: mapping.origin });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(rulesEntry?.body).toEqual({ version: '4', sha256: hash, reason: 'start' });
    const at = mapping.origin + 30_000;
    expect(others.filter(({ kind }) => kind === 'settlement')).toMatchObject([
      { key: 'settlement:0xm1:0', at },
      { key: 'settlement:0xm2:0', at },
    ]);
  });

  test('on a live source the time is that of the clock, and of a settlement that at which its row was accepted', async () => {
    const acceptedAt = NOW + 5;
    await runUntil(untilEntries(3), {
      async openSource() {
        const source = arraySource([], null);
        async function* batches() {
          yield [{ row: marketRow({ payouts: [1, 0] }), offset: 1 }];
          yield [{ row: marketRow({ id: '0xm2', payouts: [1, 0] }), offset: 2, acceptedAt }];
        }
        return { ...source, mapping: null, isLive: true, batches };
      },
    });

    expect((await entries()).map(({ key, at }) => [key, at])).toEqual([
      ['rules:0', NOW],
      ['settlement:0xm1:0', NOW],
      ['settlement:0xm2:0', acceptedAt],
    ]);
  });

  test('what is fed to it is entered beside the rows, on a replay at the time the log has reached', async () => {
    const window = { endedAt: null, cause: 'refused', backfilledAt: null } as const;
    await database.coverage.putWindow({ ...window, id: 'blind_1', startedAt: START });
    await runUntil(untilEntries(5), isMapped);
    await database.coverage.putWindow({ ...window, id: 'blind_2', startedAt: START + 1 });
    await runUntil(untilEntries(6), isMapped);

    const last = (await entries()).slice(-2);
    expect(last[1]).toMatchObject({ kind: 'gap', at: last[0]?.at });
  });

  test('a fed entry that cannot be written starts the ingest again, which then completes the log', async () => {
    const parts = ledgerParts(database);
    let faults = 0;
    const run: typeof parts.logRecorder.run = async () => {
      faults += 1;
      if (faults === 1) throw new Error('away');
    };
    const logger = createRecordingLogger();
    const feeder = Object.assign(Object.create(parts.logRecorder), { run });
    await runUntil(
      async () => {
        expect(faults).toBe(2);
        await untilEntries(4)();
      },
      { ...parts, logRecorder: feeder, logger },
    );

    expect(logger.lines.map(({ message }) => message)).toContain(
      'ingest failed; restarting from the last snapshot',
    );
  });
});
