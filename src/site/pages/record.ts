import { counted, grouped } from '../../core/base/text/formats.ts';
import { figureRows, figuresNote } from '../../core/record/conclusion.ts';
import type { RecordReport } from '../../core/record/record-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { utcTag } from '../parts/labels.ts';
import { tableOf } from '../parts/table.ts';

const FRAME = {
  title: 'Does following the alerts pay?',
  description: 'The record of all alerts: prices after them and payouts, losses included.',
  path: '/record',
} as const;

export function recordPage(report: RecordReport): Page {
  const { conclusion, results, as_of: asOf, rules } = report;
  return {
    ...FRAME,
    topics: [TOPICS.alerts],
    body: html`<div class="stack prose" id="verdict" data-live>
        <h1>${FRAME.title}</h1>
        <p class="lead">${conclusion}</p>
        ${results && html`<p><strong>${results}</strong></p>`}
        ${report.alerts > 0 && figuresOf(report)}
        <p class="muted small">
          Updated ${utcTag(Date.parse(asOf))}; next within the hour. Rules ${rules.version}. <a href="/record.json">The whole record as JSON</a>
        </p>
      </div>`,
  };
}

function figuresOf(report: RecordReport): Html {
  const [columns = [], ...rows] = figureRows(report);
  const { counted: first, alerts } = report;
  return html`${tableOf('The figures', columns, rows)}
    <p class="muted small">
      ${grouped(first)} of ${counted(alerts, 'alert')} count: the first of each wallet, market and outcome. ${figuresNote(report)}
    </p>`;
}
