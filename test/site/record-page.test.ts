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
  test('begins with what can be concluded, in words', () => {
    const text = textOf(recordReportOf());
    expect(text.indexOf('A bettor has $0.93. Not shown.')).toBeLessThan(text.indexOf('class="figures"'));
    expect(text).toMatch(/<h1>What the alerts were worth<\/h1>.*<h2 id="verdict">What can be said<\/h2>/);
  });

  test('shows every figure with its counts, the bettors, and losses like gains', () => {
    const text = textOf(recordReportOf({ mean: -0.0123 }));
    expect(text).toMatch(/<dt>Payout minus price<\/dt> <dd class="wrong">−1\.2¢<\/dd>/);
    const { figures } = recordReportOf().stages[0] as RecordStage;
    const rows = text.match(/<td class="number">12<\/td> ?<\/tr>/g);
    expect(rows?.length).toBeGreaterThanOrEqual(Object.keys(figures).length);
    expect(text).toContain('96 % interval −2.1¢ to +3.4¢');
    for (const cell of ['Positions sold', '>4<', '+$1,235', '−$321']) expect(text).toContain(cell);
    expect(text).toMatch(
      /<th scope="row">Every counted alert, held to its payout<\/th>.*\$0\.93.*\$1\.40.*\$200/,
    );
    expect(textOf(recordReportOf({ mean: 0.0123 }))).toContain('<dd class="right">+1.2¢</dd>');
  });

  test('names months from the newest on, kinds, scores and categories', () => {
    const text = textOf(recordReportOf({ months: 30 }));
    expect(text.indexOf('>2027-30<')).toBeLessThan(text.indexOf('>2027-29<'));
    expect(text).not.toContain('>2027-06<');
    for (const name of ['New wallet keeps buying', 'Score of 80 or more: very high', 'Politics'])
      expect(text).toContain(`<th scope="row">${name}</th>`);
  });

  test('says what is missing, and why', () => {
    const text = textOf(recordReportOf());
    expect(text).toMatch(
      /Not observed<\/th> <td class="number">2<\/td> ?<td class="number">1<\/td> ?<td class="number">1</,
    );
  });

  test('says before the first alert that there is nothing to say', () => {
    const text = textOf(JSON.parse(emptyRecord()));
    expect(text).toContain('Nothing to say yet: no alert has had a price that a reader could pay.');
    expect(text).not.toContain('class="figures"');
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

  test('is quoted by the page of a wallet, in its last sentence by the first page, and left out while it cannot be read', async () => {
    for (const record of [null, recordAnswers(JSON.stringify(recordReportOf()), START)]) {
      const { append, clock, page } = await startSite({ record: { read: () => record } });
      const alert = alertOf({ id: 1 });
      await append(alert);
      await clock.advance(HOUR_MS);
      const wallet = (await page(`/wallets/${alert.wallet}`)).text;
      expect(wallet.includes('A bettor has $0.93. Not shown.')).toBe(record !== null);
      expect((await page('/')).text.includes('<a href="/record">Not shown.</a>')).toBe(record !== null);
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
    expect(text).toContain('reached on 2027-03-04. Corrected data undid it on 2027-04-05.');
  });
});
