import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { openTail } from '../../../src/infra/market/tapes/tail.ts';
import {
  createSourceFixture,
  TAPE_START,
  TODAY,
  toLines,
  wireTrade,
  writeTape,
} from '../../infra/market/tapes/source-fixture.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { LOOSER, live } from './rebuild-fixture.ts';

const HEADER = { tape: { history: 'complete' } };
/** One order a second, each of a new wallet: 2,000 USDC, and 500 USDC for the looser rules. */
const orders = Array.from({ length: 8 }, (_, n) => order(n, n % 2 === 0 ? 4_000 : 1_000));

function order(n: number, size: number, transactionHash = `0xt${n}`): Record<string, unknown> {
  const proxyWallet = `0x${n.toString(16).padStart(40, '0')}`;
  const market = { conditionId: `0xm${n}`, asset: `${n}` };
  return wireTrade({ proxyWallet, ...market, size, transactionHash, timestamp: TAPE_START / 1_000 + n });
}

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

/** Follows the tape until the rows so far are closed; killed before that, until they are read. */
async function follow(file: string, rules: DetectionRules, isKilled = false) {
  const logger = createRecordingLogger();
  let now = TODAY;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const deps = { ...createSourceFixture(), clock: { now: () => now, sleep }, logger };
  const isEnd = isKilled
    ? () => true
    : ([first]: readonly { row: { kind: string } }[]) => first?.row.kind === 'close';
  const openSource = (checkpoint: Parameters<typeof openTail>[0]['checkpoint'], isRebuild: boolean) =>
    openTail({ file, checkpoint, isRebuild }, deps);
  await live(database, {
    rows: [],
    rules,
    until: Number.POSITIVE_INFINITY,
    isEnd,
    given: { openSource, logger },
  });
  const warnings = logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  return { wallets: await published(), warnings };
}

async function published(): Promise<number[]> {
  const alerts = await database.alerts.after(0, 100);
  return alerts.map(({ wallet }) => Number.parseInt(wallet, 16));
}

test('an order that was open when the process was killed is published, though the tape does not grow', async () => {
  const file = await writeTape([HEADER, ...orders.slice(0, 4), order(3, 4_000, '0xmore')]);
  expect((await follow(file, DEFAULT_RULES, true)).wallets).toEqual([0, 2]);

  expect(await follow(file, LOOSER)).toEqual({ wallets: [0, 2, 3], warnings: [] });
  expect(await database.alerts.last()).toMatchObject({ usdc: 2_500 });
});

test.each([
  ['replaced', [HEADER, ...orders.slice(4)], [0, 2, 4, 5, 6, 7]],
  ['cut', [HEADER, ...orders.slice(0, 3)], [0, 2, 1]],
])(
  'of a tape that was %s meanwhile all is published, once, and the log says so',
  async (_how, text, wanted) => {
    const file = await writeTape([HEADER, ...orders.slice(0, 4)]);
    await follow(file, DEFAULT_RULES);
    await writeFile(file, toLines(text));

    const { wallets, warnings } = await follow(file, LOOSER);
    expect(wallets).toEqual(wanted);
    expect(warnings).toEqual([
      'tape replaced by another one; reading it from its start',
      'rows before the snapshot are gone; their state is lost',
    ]);
  },
);
