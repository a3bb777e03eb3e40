import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import type { RecordReport, RecordStage } from '../../src/core/record/record-report.ts';
import { recordAnswers } from '../../src/http/views/record-report-view.ts';
import { recordPage } from '../../src/site/pages/record.ts';
import { alertOf } from '../support/alerts.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { recordReportOf } from '../support/record-report.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

const textOf = (report: RecordReport) => recordPage(report).body.toString().replaceAll(/\s+/g, ' ');

describe('/record', () => {
  test('begins with the conclusion, then the capital, then what both rest on, and only then the tables', () => {
    const text = textOf(recordReportOf());
    const order = ['<h1>', 'No evidence yet', '3 of 8 settled bets were right', 'Hypothetical bankroll'];
    const places = [...order, 'class="figures"', '<h2', '<table'].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test('the capital of both bettors is drawn from the record to its moment, below the line at which it would speak', () => {
    const text = textOf(recordReportOf());
    const paths = [...text.matchAll(/<path class="line( against)?" d="(M\d{3,}[^"]+)"/g)];
    expect(paths.map(([, look]) => look)).toEqual([' against', undefined]);
    const line = (paths[1]?.[2] ?? '').match(/\d+/g)?.map(Number) ?? [];
    const day = 24 * 60 * 60;
    // Times in seconds, heights from the top: $1, then $1.40 after 32 days, then $0.93 after 55, until 1.8 days later.
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, end = 0] = line;
    expect([x1 - x0, x2 - x0, end - x0]).toEqual([32 * day, 87 * day, 89 * day - 4 * 3_600]);
    expect([y0 - y1, y2 - y0]).toEqual(
      [Math.log10(1.4), -Math.log10(0.93)].map((power) => Math.round(1_000 * power)),
    );
    // Of the other bettor: $1, then $0.70.
    const [, from = 0, , until = 0] = (paths[0]?.[2] ?? '').match(/\d+/g)?.map(Number) ?? [];
    expect(until - from).toBe(Math.round(-1_000 * Math.log10(0.7)));
    expect(text).toMatch(/<text class="end"[^>]*>\$50<\/text>.*evidence from \$50/);
    expect(text).toContain('bets on the alerts: $0.93 now, $1.40 at the most');
  });

  test('right and wrong are beside each other and alike, and so is what could not be measured', () => {
    const text = textOf(recordReportOf());
    const tile = (name: string, value: number) => `<dt>${name}</dt> <dd class="plain">${value}</dd>`;
    const places = [tile('Right', 3), tile('Wrong', 5)].map((part) => text.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places[1]).toBeGreaterThan(places[0] ?? 0);
    for (const part of [tile('Alerts that count', 12), tile('Could be measured', 6)])
      expect(text).toContain(part);
  });

  test('a mean of one event is neither large nor coloured, and its point is hollow', () => {
    const [few, many] = [1, 5].map((events) => {
      const report = JSON.stringify(recordReportOf({ mean: -0.282 })).replaceAll(
        '"events":5',
        `"events":${events}`,
      );
      return textOf(JSON.parse(report));
    });
    expect(many).toContain('<dd class="plain">−28.2¢ a share</dd>');
    expect(few).toContain('<dd class="plain">One event only</dd>');
    expect(few).toContain('class="one"');
    // The two sums of dollars, and the mean of the test bets.
    expect(few?.match(/class="mean"/g)).toHaveLength(3);
    expect(few).not.toMatch(/class="wrong"|class="[^"]*interval (?:right|wrong)/);
  });

  test('all means have one scale with 0 in the middle, named at its ends', () => {
    const report = recordReportOf({ mean: -0.0123 });
    const [stage] = report.stages as [RecordStage];
    const largest = { ...stage.figures.move_1h, mean: 0.18 };
    const text = textOf({
      ...report,
      stages: [{ ...stage, figures: { ...stage.figures, move_1h: largest } }],
    });
    const ends = new Set([...text.matchAll(/class="ends">([^<]+)</g)].map(([, words]) => words));
    expect([...ends]).toEqual(['−20¢ 0 +20¢', '−$2,000 0 +$2,000']);
    const points = new Set([...text.matchAll(/class="mean" cx="([\d.]+)"/g)].map(([, x]) => x));
    // Of 160 px, with 74 on either side of 80.
    expect(points).toEqual(new Set(['75.4', '146.6', '125.7', '68.1']));
  });

  test('each cell of a table carries the name of its column, for phones', () => {
    const text = textOf(recordReportOf());
    const cells = text.match(/<td [^>]*>/g) ?? [];
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter((cell) => !/ data-name="[^"]+"/.test(cell))).toEqual([]);
  });

  test('shows every figure with its counts, the bettors, and losses like gains', () => {
    const text = textOf(recordReportOf({ mean: -0.0123 }));
    expect(text).toMatch(/<dt>Payout minus price<\/dt> <dd class="plain">−1\.2¢ a share<\/dd>/);
    const { figures } = recordReportOf().stages[0] as RecordStage;
    const rows = text.match(/<td[^>]*>12<\/td> ?<\/tr>/g);
    expect(rows?.length).toBeGreaterThanOrEqual(Object.keys(figures).length);
    expect(text).toMatch(/96 % interval<\/dt> <dd class="plain">−2\.1¢ to \+3\.4¢<\/dd>/);
    for (const cell of ['4 positions', 'held to the settlement', '+$1,235', '−$321'])
      expect(text).toContain(cell);
    expect(text).toMatch(
      /<th scope="row">Every counted alert, held to its payout<\/th>.*\$0\.93.*\$1\.40.*\$200/,
    );
    expect(textOf(recordReportOf({ mean: 0.0123 }))).toContain('<dd class="plain">+1.2¢ a share</dd>');
  });

  test('names months from the newest on, kinds, scores and categories', () => {
    const text = textOf(recordReportOf({ months: 30 }));
    expect(text.indexOf('>2027-30<')).toBeLessThan(text.indexOf('>2027-29<'));
    expect(text).not.toContain('>2027-06<');
    for (const name of ['New wallet keeps buying', 'Score of 80 or more: very strong', 'Politics'])
      expect(text).toContain(`<th scope="row">${name}</th>`);
  });

  test('says what is missing, and why', () => {
    const text = textOf(recordReportOf());
    expect(text).toMatch(/Not observed<\/th> <td[^>]*>2<\/td> ?<td[^>]*>1<\/td> ?<td[^>]*>1</);
  });

  test('says before the first alert that there is nothing to say', () => {
    const text = textOf(JSON.parse(emptyRecord()));
    expect(text).toContain('Too early to say: 0 of the first 20 hypothetical test bets are done.');
    expect(text).not.toMatch(/class="figures"|<svg/);
  });

  test('is made again with the next record, without waiting for a minute', async () => {
    const hours = ['2027-04-01T00:00:00.000Z', '2027-04-01T01:00:00.000Z'];
    const records = hours.map((as_of) =>
      recordAnswers(JSON.stringify({ ...recordReportOf(), as_of }), START),
    );
    let newest: (typeof records)[number] | null = null;
    const { page } = await startSite({ record: { read: () => newest } });
    expect((await page('/record')).text).toContain('cannot be read at the moment');
    for (const [index, record] of records.entries()) {
      newest = record;
      expect((await page('/record')).text).toContain(`2027-04-01 0${index}:00 UTC`);
    }
  });

  test('is quoted by the page of a wallet, in its results by the first page, and left out while it cannot be read', async () => {
    for (const record of [null, recordAnswers(JSON.stringify(recordReportOf()), START)]) {
      const { append, clock, page } = await startSite({ record: { read: () => record } });
      const alert = alertOf({ id: 1 });
      await append(alert);
      await clock.jump(HOUR_MS);
      const wallet = (await page(`/wallets/${alert.wallet}`)).text;
      expect(wallet.includes('No evidence yet that following alerts pays.')).toBe(record !== null);
      const said = '3 of 8 settled bets were right (38%). Breaking even at those prices took 41%.';
      expect((await page('/')).text.includes(said)).toBe(record !== null);
    }
  });

  test('keeps the rehearsal apart from the plan', () => {
    const report = recordReportOf();
    const rehearsal = {
      ...(report.stages[0] as RecordStage),
      stage: 'rehearsal',
      conclusion: 'Rehearsal.',
    } as const;
    const text = textOf({ ...report, stages: [...report.stages, rehearsal] });
    expect(text).toMatch(/<h2 id="earlier-title">The rehearsal<\/h2>.*Rehearsal\./);
  });

  test('says which verdict corrected data undid', () => {
    const verdict = { stage: 'plan', bettor: 'bettor', verdict: 'above' } as const;
    const dates = { reached_at: '2027-03-04T00:00:00.000Z', withdrawn_at: '2027-04-05T00:00:00.000Z' };
    const text = textOf({ ...recordReportOf(), withdrawn: [{ ...verdict, ...dates }] });
    expect(text).toContain('reached on 2027-03-04. Corrected data reversed it on 2027-04-05.');
  });
});
