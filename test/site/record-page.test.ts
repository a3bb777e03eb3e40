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
import { wordsOf } from './observed-site.ts';

const textOf = (report: RecordReport) => recordPage(report).body.toString().replaceAll(/\s+/g, ' ');

describe('/record', () => {
  test('begins with the verdict, then the bankroll, right against needed, and one table of five lines', () => {
    const text = textOf(recordReportOf());
    const order = ['<h1>', 'No evidence yet', '<svg class="bankroll"', '3 of 8 settled bets were right'];
    const places = [...order, '<table', '/record.json'].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(text.match(/<table/g)).toHaveLength(1);
    expect(text.match(/<th scope="row"/g)).toHaveLength(5);
  });

  test('draws the bankroll from $1 over each closed bet, with $50 at the top', () => {
    const [stage] = recordReportOf().stages as [RecordStage];
    const from = Date.parse(stage.first_alert_at);
    const until = Date.parse('2027-03-30T03:05:05.000Z');
    const x = (at: string) => Math.round((1_000 * (Date.parse(at) - from)) / (until - from));
    const y = (capital: number) => Math.round((1_000 * Math.log(50 / capital)) / Math.log(500));
    const steps = stage.bettor.course.map(({ at, capital }) => `H${x(at)}V${y(capital)}`);
    const text = textOf(recordReportOf());
    expect(text).toContain(`<path d="M0 ${y(1)}${steps.join('')}">`);
    expect(text).toContain('y1="0%" y2="0%"></line><text class="end" x="-8" y="0%" dy="0.35em">$50</text>');
    expect(text).toContain('$0.93 after 3 bets.');
  });

  test('shows a record of an earlier version, which has no course, without the chart', () => {
    const report = recordReportOf();
    const [stage] = report.stages as [RecordStage];
    const { course: _, ...bettor } = stage.bettor;
    const text = textOf({ ...report, stages: [{ ...stage, bettor: bettor as RecordStage['bettor'] }] });
    expect(text).not.toContain('bankroll"');
    expect(text).toContain('<table');
  });

  test('states losses like gains, each figure with what it rests on', () => {
    const words = wordsOf(textOf(recordReportOf({ mean: -0.0123 })));
    for (const row of [
      'Payout minus price, per bet −1.2¢ 12 settled bets',
      'Payout minus price, per event −1.2¢ 5 events',
      'Price a day later −1.2¢ 11 test bets; anything from −2.1¢ to +3.4¢ is plausible',
      'Highest bankroll $1.40 evidence from $50',
      'Highest against the alerts $1.40 evidence from $50',
      '12 of 24 alerts count',
    ])
      expect(words).toContain(row);
    expect(wordsOf(textOf(recordReportOf({ mean: 0.0123 })))).toContain('per bet +1.2¢');
  });

  test('says before the first alert that there is nothing to say', () => {
    const text = textOf(JSON.parse(emptyRecord()));
    expect(text).toContain('Too early to say: 0 of the first 20 hypothetical test bets are done.');
    expect(text).not.toMatch(/<svg|<table/);
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

  test('keeps the rehearsal apart from the test', () => {
    const report = recordReportOf();
    const rehearsal = {
      ...(report.stages[0] as RecordStage),
      stage: 'rehearsal',
      conclusion: 'Rehearsal.',
    } as const;
    const text = textOf({ ...report, stages: [...report.stages, rehearsal] });
    expect(text).toContain('Before the test: Rehearsal.');
    expect(text.match(/<table/g)).toHaveLength(1);
  });

  test('says which verdict corrected data undid', () => {
    const verdict = { stage: 'plan', bettor: 'bettor', verdict: 'above' } as const;
    const dates = { reached_at: '2027-03-04T00:00:00.000Z', withdrawn_at: '2027-04-05T00:00:00.000Z' };
    const text = textOf({ ...recordReportOf(), withdrawn: [{ ...verdict, ...dates }] });
    expect(text).toContain('reached on 2027-03-04. Corrected data reversed it on 2027-04-05.');
  });
});
