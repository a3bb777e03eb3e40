import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { trackRecord } from '../../bots/shared/conversation/figures.ts';
import { plainText } from '../../bots/shared/screen.ts';
import { createContainer } from '../../src/container.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';
import { MIDTERMS_TAPE } from '../../src/infra/process/program.ts';
import { recordOfTape } from '../../src/wiring/tape-record.ts';
import { configOf } from '../support/config.ts';
import { PATIENT } from '../support/lanes/patient.ts';

let backtest: RecordReport;
beforeAll(async () => {
  ({ report: backtest } = await recordOfTape(MIDTERMS_TAPE, { rules: DEFAULT_RULES }));
});

const inOneLine = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** A service that has replayed the tape, and what it says in each place. */
async function saidByService(
  given: Readonly<Record<string, string>>,
  isSaid: (report: RecordReport) => boolean,
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-one-record-'));
  const config = configOf({
    ...{ MARKET_SOURCE: `replay:${MIDTERMS_TAPE}`, DATABASE_URL: `sqlite:${join(folder.path, 'tipoff.db')}` },
    ...{ LOG_LEVEL: 'silent', PORT: '0', ...given },
  });
  const container = await createContainer(config);
  try {
    const { address } = await container.start();
    const issued = await container.keys.issue({ tier: 'pro', name: 'Test' });
    const authorization = `Bearer ${issued.ok ? issued.secret : ''}`;
    const read = async (path: string) =>
      (await fetch(`${address}${path}`, { headers: { authorization } })).text();
    const report = async () => JSON.parse(await read('/record.json')) as RecordReport;
    await expect.poll(async () => isSaid(await report()), { ...PATIENT, interval: 1_500 }).toBe(true);
    const { records } = container.database;
    const screen = await trackRecord({ records } as never).steps['record']?.({} as never);
    const mcp = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'get_record', arguments: {} },
      }),
    });
    return {
      report: await report(),
      keyed: JSON.parse(await read('/api/v1/record')) as RecordReport,
      page: inOneLine(await read('/record')),
      home: inOneLine(await read('/')),
      bot: screen && 'body' in screen ? inOneLine(plainText(screen)) : '',
      mcp: await mcp.text(),
    };
  } finally {
    await container.close();
  }
}

test('a tape has one record: on pages, with a key, for agents, in chat and in a backtest', async () => {
  const { conclusion, results } = backtest;
  const isOver = (report: RecordReport) => report.results === results;
  const { report, keyed, page, home, bot, mcp } = await saidByService({}, isOver);

  for (const one of [report, keyed]) expect({ ...one, rules: backtest.rules }).toEqual(backtest);
  for (const text of [page, bot]) for (const said of [conclusion, results]) expect(text).toContain(said);
  expect(home).toContain(results);
  for (const said of [conclusion, results]) expect(mcp).toContain(said);
});

test('a tape that is moved to today has the same record, with dates of today', async () => {
  const year = new Date().getUTCFullYear();
  const isOver = ({ results }: RecordReport) => results === backtest.results;
  const { report } = await saidByService({ REPLAY_SHIFT: 'now' }, isOver);

  const { as_of: asOf, bankroll, ...figures } = report;
  const { as_of: _, bankroll: moved, ...wanted } = backtest;
  expect({ ...figures, rules: wanted.rules }).toEqual(wanted);
  expect(bankroll.map(({ capital }) => capital)).toEqual(moved.map(({ capital }) => capital));
  const dates = [asOf, ...bankroll.map(({ at }) => at)];
  for (const date of dates) expect(Math.abs(Number(date.slice(0, 4)) - year)).toBeLessThanOrEqual(1);
});

test('while a replay goes on, the record counts the results that the pages show', async () => {
  const given = { REPLAY_SHIFT: '2022-11-10T06:00:00Z', REPLAY_SPEED: '60', SNAPSHOT_SECONDS: '1' };
  const hasResults = ({ settled }: RecordReport) => settled > 30;
  const { report, home } = await saidByService(given, hasResults);

  expect(report.results).toMatch(new RegExp(`^${report.right} of ${report.settled} settled bets`));
  expect(home).toContain(report.results);
});
