import type { DatedHead } from '../../core/alerts/alert-index/alert-index.ts';
import { grouped } from '../../core/base/text/formats.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { code } from '../parts/code.ts';
import { utcTag } from '../parts/labels.ts';

interface LogModel {
  readonly head: DatedHead;
  readonly publicUrl: string;
}

export function logPage({ head, publicUrl }: LogModel): Page {
  const { seq, hash, at } = head;
  const line = `${seq}:${hash}`;
  const newest =
    at === null
      ? html`<p>The log has no entry yet.</p>`
      : html`<p>The newest entry, number ${grouped(seq)} of ${utcTag(at)}, and its hash:</p>
          <p><code class="copy">${line}</code></p>`;
  return {
    title: 'Log',
    description:
      'The newest entry of the log of everything that was published, and how to verify that nothing was changed.',
    path: '/log',
    topics: [TOPICS.alerts],
    body: html`<div class="stack prose" id="newest" data-live>
        <h1>Log</h1>
        <p class="lead">
          Everything that Tipoff publishes is an entry in this log: alerts, results, exits, corrections, rules and gaps.
        </p>
        ${newest}
      </div>
      ${verification(publicUrl)}`,
  };
}

function verification(publicUrl: string) {
  const body = html`<ol>
      <li>Save the line above in a file, <code>head.txt</code>, where the operator of this service cannot write.</li>
      <li>
        Later, in the source of Tipoff:
        ${code('Verify the log', `node bin/tipoff.js verify ${publicUrl} --head head.txt`)}
      </li>
    </ol>
    <p>
      <code>tipoff verify</code> reads the whole log, computes every hash again, and says whether the entry that you saved is
      still part of it. Each entry contains the hash of the one before it, so nothing before yours can have been changed,
      removed or inserted. Without a line that you saved it proves nothing about the past, and it never shows what was not
      published. <a href="/docs/log">The log in the API</a>
    </p>`;
  return section('verify', 'How to verify it', body, 'prose');
}
