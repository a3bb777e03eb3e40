import type { LogEntry } from '../../core/alerts/log/log-entry.ts';
import { logEntryJsonPath, logEntryPath, logFilePath } from '../../core/alerts/site-paths.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { logPath } from '../list-query.ts';
import { code } from '../parts/code.ts';
import { copyButton } from '../parts/copy-button.ts';
import { utcTag } from '../parts/labels.ts';
import { entryWords, kindWords, type LogContext } from '../parts/log-words.ts';

interface LogEntryModel {
  readonly entry: LogEntry;
  /** Null if this is the newest public entry. */
  readonly next: LogEntry | null;
  readonly context: LogContext;
  readonly publicUrl: string;
}

export function logEntryPage({ entry, next, context, publicUrl }: LogEntryModel): Page {
  const { sequence, at } = entry;
  const month = new Date(at).toISOString().slice(0, 7);
  const title = `Entry ${sequence}: ${kindWords(entry)}`;
  return {
    title: `Log, entry ${sequence}`,
    description: `Entry ${sequence} of the log of all that Tipoff published, with its hash and how to check it.`,
    path: logEntryPath(sequence),
    // What it is about has a page of its own.
    isIndexed: false,
    body: html`<div class="stack">
        <p class="crumbs muted small"><span><a href="/log">Log</a> · <a href="${logPath({ through: sequence })}#list">${month}</a></span></p>
        <h1>${title}</h1>
        <p class="lead">${entryWords(entry, context)}</p>
        ${chainPart(entry, next)}
      </div>
      ${section('check', 'Check it', checkPart(entry, publicUrl), 'prose')}
      ${section('content', 'Content', contentPart(entry, month))}`,
  };
}

/** The entry between its neighbours: what connects them. */
function chainPart({ sequence, at, hash, previous }: LogEntry, next: LogEntry | null): Html {
  const before =
    sequence === 1
      ? html`none: this is the first`
      : html`<a href="${logEntryPath(sequence - 1)}">Entry ${sequence - 1}</a>, with the hash<br /><code>${previous}</code>`;
  const after =
    next === null
      ? html`none is public yet`
      : html`<a href="${logEntryPath(next.sequence)}">Entry ${next.sequence}</a>, with the hash<br /><code>${next.hash}</code>`;
  return html`<dl class="facts">
    <dt>Written</dt>
    <dd>${utcTag(at)}</dd>
    <dt>Hash</dt>
    <dd><code>${hash}</code></dd>
    <dt>Before</dt>
    <dd>${before}</dd>
    <dt>After</dt>
    <dd>${after}</dd>
  </dl>`;
}

/** The bytes that are hashed are the line of the entry without its hash. */
function checkPart({ sequence, hash }: LogEntry, publicUrl: string): Html {
  const command = `curl -s ${publicUrl}${logEntryJsonPath(sequence)} | sed 's/"hash":"${hash}",//' | tr -d '\\n' | sha256sum`;
  return html`<p>The hash is the SHA-256 of the entry without it. This prints the hash above:</p>
    ${code('Command that computes the hash', command)}
    <p>${copyButton(command, 'the command')}</p>
    <p>
      The hash covers that of the previous entry, and therefore all entries up to this one. If you keep its number and hash, or got them
      with an alert or a post, this compares the whole log with them:
    </p>
    ${code('Command that verifies the log', `node bin/tipoff.js verify-log ${publicUrl} --head ${sequence}:${hash}`)}`;
}

/** Marks that change the direction of text would show another order than the bytes have. */
const UNSEEN = /[\p{Cf}\u2028\u2029]/gu;

function contentPart({ body, sequence }: LogEntry, month: string): Html {
  const text = JSON.stringify(body, null, 2).replaceAll(UNSEEN, escaped);
  return html`${code('Content of the entry', text)}
    <p>
      <a href="${logEntryJsonPath(sequence)}" rel="nofollow">This entry as JSON</a> ·
      <a href="${logFilePath(month)}" rel="nofollow">All entries of ${month}</a>
    </p>`;
}

function escaped(mark: string): string {
  return mark
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
