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
  test('begins with the conclusion, then what it rests on, and only then its one table', () => {
    const text = textOf(recordReportOf());
    const order = ['<h1>', 'No evidence yet', '3 of 8 settled bets were right', 'class="figures"'];
    const places = [...order, '<h2', '<table'].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(text.match(/<table/g)).toHaveLength(1);
  });

  test('right and wrong are beside each other and alike, and so is what could not be measured', () => {
    const text = textOf(recordReportOf());
    const tile = (name: string, value: number) => `<dt>${name}</dt> <dd class="plain">${value}</dd>`;
    const places = [tile('Right', 3), tile('Wrong', 5)].map((part) => text.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places[1]).toBeGreaterThan(places[0] ?? 0);
    for (const part of [tile('Alerts that count', 12), tile('Could be measured', 12)])
      expect(text).toContain(part);
  });

  test('a mean of one event is neither large nor coloured', () => {
    const [few, many] = [1, 5].map((events) => {
      const report = JSON.stringify(recordReportOf({ mean: -0.282 })).replaceAll(
        '"events":5',
        `"events":${events}`,
      );
      return textOf(JSON.parse(report));
    });
    expect(many).toContain('<dd class="plain">−28.2¢ a share</dd>');
    expect(few).toContain('<dd class="plain">One event only</dd>');
    expect(few).not.toContain('class="wrong"');
  });

  test('shows the interval, the bettors, and losses like gains', () => {
    const text = textOf(recordReportOf({ mean: -0.0123 }));
    expect(text).toMatch(/<dt>Payout minus price<\/dt> <dd class="plain">−1\.2¢ a share<\/dd>/);
    expect(text).toMatch(/96 % interval<\/dt> <dd class="plain">−2\.1¢ to \+3\.4¢<\/dd>/);
    expect(text).toMatch(
      /<th scope="row">Every counted alert, held to its payout<\/th>.*\$0\.93.*\$1\.40.*\$200/,
    );
    expect(textOf(recordReportOf({ mean: 0.0123 }))).toContain('<dd class="plain">+1.2¢ a share</dd>');
  });

  test('says before the first alert that there is nothing to say', () => {
    const text = textOf(JSON.parse(emptyRecord()));
    expect(text).toContain('Too early to say: 0 of the first 20 hypothetical test bets are done.');
    expect(text).not.toMatch(/class="figures"|<table/);
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
