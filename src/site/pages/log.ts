import type { DatedHead } from '../../core/alerts/ledger/log-heads.ts';
import type { LogEntry } from '../../core/alerts/log/log-entry.ts';
import type { MonthSpan } from '../../core/alerts/log/log-months.ts';
import { LOG_PATH, logEntryPath, logFilePath } from '../../core/alerts/site-paths.ts';
import { durationWords } from '../../core/base/text/formats.ts';
import { attribute, type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type LogQuery, logPath } from '../list-query.ts';
import { code } from '../parts/code.ts';
import { utcTag } from '../parts/labels.ts';
import { entryWords, kindWords, type LogContext } from '../parts/log-words.ts';
import { numberColumn, tableOf } from '../parts/table.ts';

export const LOG_PAGE_ENTRIES = 30;

interface LogModel {
  readonly query: LogQuery;
  /** The newest public entry. */
  readonly head: DatedHead;
  /** Those of the page, ascending. */
  readonly entries: readonly LogEntry[];
  /** Oldest first. */
  readonly months: readonly MonthSpan[];
  readonly context: LogContext;
  readonly publicUrl: string;
  readonly freeDelayMs: number;
}

export function logPage(model: LogModel): Page {
  const { query, publicUrl } = model;
  const isNewest = query.through === undefined;
  return {
    title: isNewest ? 'The log' : `The log: entry ${query.through} and before`,
    description:
      'Everything that Tipoff published, numbered and chained by hashes: alerts, outcomes, corrections, exits, rules, and when the market was not seen.',
    path: logPath(query),
    isIndexed: isNewest,
    body: html`<div class="stack prose">
        <h1>The log</h1>
        <p>
          Everything that is published here, in order. Each entry contains the hash of the one before it: anyone who keeps a number and its hash can tell later whether anything up to it was changed, removed or added.
        </p>
        ${headPart(model)}
      </div>
      ${entriesPart(model)}
      ${section('check', 'Check the log', checkPart(publicUrl), 'prose')}
      ${section('files', 'Files', filesPart(model))}`,
  };
}

function headPart({ head: { sequence, hash, at }, freeDelayMs }: LogModel): Html {
  if (at === null) return html`<p>No entry is public yet.</p>`;
  const delay = freeDelayMs === 0 ? null : html`Entries are public after ${durationWords(freeDelayMs)}. `;
  return html`<p>
    ${delay}The newest is <a href="${logEntryPath(sequence)}">${sequence}</a> of ${utcTag(at)}, with this hash:<br />
    <code>${hash}</code>
  </p>`;
}

function entriesPart({ entries, head, months, context }: LogModel): Html {
  const newest = entries.at(-1)?.sequence ?? 0;
  const rows = entries.toReversed().map((entry) => entryRow(entry, context));
  return html`<section class="stack" id="list" aria-labelledby="list-title">
    <h2 id="list-title">Entries</h2>
    ${monthLinks(months, newest)}
    <form class="search" action="${LOG_PATH}#list" method="get">
      <label for="through">From number</label>
      <input id="through" type="text" inputmode="numeric" name="through" maxlength="15" value="${newest || ''}" />
      <button>Show</button>
    </form>
    <ol class="buys">
      ${rows}
    </ol>
    ${pageLinks(newest, head.sequence)}
  </section>`;
}

function monthLinks(months: readonly MonthSpan[], shown: number): Html {
  return html`<nav aria-label="Months">
    <ul class="chips">
      ${months.toReversed().map(({ month, first, last, isComplete }) => {
        const current = attribute('aria-current', first <= shown && shown <= last ? 'true' : null);
        const path = logPath({ through: isComplete ? last : undefined });
        return html`<li><a href="${path}#list"${current}>${month}</a></li>`;
      })}
    </ul>
  </nav>`;
}

function entryRow(entry: LogEntry, context: LogContext): Html {
  const { sequence, at } = entry;
  return html`<li>
    <a href="${logEntryPath(sequence)}">${sequence}</a> <span class="badge">${kindWords(entry)}</span>
    ${entryWords(entry, context)} ${utcTag(at)}
  </li>`;
}

function pageLinks(newest: number, head: number): Html {
  const [older, newer] = [newest - LOG_PAGE_ENTRIES, newest + LOG_PAGE_ENTRIES];
  const newerPath = logPath({ through: newer < head ? newer : undefined });
  return html`<p class="pages">
    ${newest < head && html`<a href="${newerPath}#list">Newer entries</a>`}
    ${older > 0 && html`<a href="${logPath({ through: older })}#list">Older entries</a>`}
  </p>`;
}

function checkPart(publicUrl: string): Html {
  return html`<p>
      The page of an entry has a command that computes its hash. To check the whole log against its hashes, run this in the folder of
      Tipoff’s source after <code>npm ci</code>:
    </p>
    ${code('Command that verifies the log', `node bin/tipoff.js verify-log ${publicUrl}`)}
    <p>
      The first run keeps the newest hash; later ones prove that everything up to it is unchanged. No check of a log shows that
      nothing was left out of it, or that all readers see the same: compare hashes with others.
    </p>`;
}

function filesPart({ months }: LogModel): Html {
  const rows = months.toReversed().map(({ month, first, last, isComplete }) => {
    const path = logFilePath(month);
    return [
      html`<a href="${path}" rel="nofollow">${month}.jsonl</a>`,
      html`<a href="${path}.sha256" rel="nofollow"><span class="hidden">${month} </span>SHA-256</a>`,
      `${first} to ${last}`,
      isComplete ? 'complete' : 'still growing',
    ];
  });
  const columns = ['File', 'Digest', numberColumn('Entries'), 'State'];
  return html`<p class="prose">
      For programs: one file for each month (UTC), with one entry in each line. <code>${LOG_PATH}</code> lists them as JSON,
      unless HTML is asked for. <code>${LOG_PATH}/12.json</code> is one entry.
    </p>
    ${months.length === 0 ? null : tableOf('Files of the log', columns, rows)}`;
}
