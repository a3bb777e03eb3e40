import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import { ERROR_CODES } from '../../http/schemas/error-codes.ts';
import { ERRORS } from '../../http/schemas/error-table.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { marked } from '../parts/markdown.ts';

const ABOUT =
  'The body of every error is `{"detail": …, "code": …}`. `detail` is a sentence, or for invalid values a list that names each; its words may change. `code` is one of the following and keeps its meaning. Later versions may add codes: treat an unknown one by its status.';

export function errorsPage(freeDelayMs: number): Page {
  const errors = withFreeDelay(ERRORS, freeDelayMs);
  const entries = ERROR_CODES.map((code) => {
    const { status, meaning, remedy } = errors[code];
    return html`<section class="entry" id="${code}">
      <h2><a href="#${code}"><code>${code}</code></a> <small class="muted">${status}</small></h2>
      <p>${marked(meaning)}</p>
      <p><strong>What to do:</strong> ${marked(remedy)}</p>
    </section>`;
  });
  return {
    title: 'Error codes',
    description: 'Every error code of the API: what it means, and what to do.',
    path: '/docs/errors',
    body: html`<div class="stack prose">
        <p class="muted small"><a href="/docs">API reference</a></p>
        <h1>Error codes</h1>
        <p>${marked(ABOUT)}</p>
      </div>
      <div class="stack prose">${entries}</div>`,
  };
}
