import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';
import { recordPage } from '../../src/site/pages/record.ts';
import { alertOf } from '../support/alerts.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { readRecord, recordReportOf } from '../support/record-report.ts';
import { startSite } from '../support/site.ts';
import { wordsOf } from './observed-site.ts';

const textOf = (report: RecordReport) => recordPage(report).body.toString().replaceAll(/\s+/g, ' ');

describe('/record', () => {
  test('begins with the verdict, then right against needed, and one table of five lines', () => {
    const text = textOf(recordReportOf());
    const order = ['<h1>', 'No evidence yet', '3 of 8 settled bets were right'];
    const places = [...order, '<table', '/record.json'].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(text.match(/<table/g)).toHaveLength(1);
    expect(text.match(/<th scope="row"/g)).toHaveLength(5);
  });

  test('states both figures, and what they do not show', () => {
    const words = wordsOf(textOf(recordReportOf()));
    for (const row of [
      'A day later At the payout',
      'Average change −1.2¢ −1.2¢',
      'Plausible average from −2.1¢ to +3.4¢ from −2.1¢ to +3.4¢',
      '12 of 24 alerts count',
      'A bankroll of $50 or $200 would be evidence; averages prove nothing. What is plausible assumes a steady average.',
    ])
      expect(words).toContain(row);
  });

  test('says before the first alert that there is nothing to say', () => {
    const text = textOf(emptyRecord());
    expect(text).toContain('Too early to say: 0 of the first 20 hypothetical test bets are done.');
    expect(text).not.toMatch(/<svg|<table/);
  });

  test('is quoted by the page of a wallet, and in its results by the first page', async () => {
    const { append, clock, page } = await startSite({ record: readRecord(recordReportOf()) });
    const alert = alertOf({ id: 1 });
    await append(alert);
    await clock.jump(HOUR_MS);
    const wallet = (await page(`/wallets/${alert.wallet}`)).text;
    expect(wallet).toContain('No evidence yet that following alerts pays.');
    const said = '3 of 8 settled bets were right (38%). Breaking even at those prices took 41%.';
    expect((await page('/')).text).toContain(said);
    expect((await page('/record')).text).toContain(said);
  });
});
