import { ERROR_CODES } from '../../http/schemas/error-codes.ts';
import { ERRORS } from '../../http/schemas/error-table.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';

export function errorsPage(about: string): Page {
  return {
    title: 'Error codes',
    description: 'Every error code of the API: what it means, and what to do.',
    path: '/docs/errors',
    body: html`<div class="stack prose">
        <h1>Error codes</h1>
        <p>${marked(about)}</p>
        <p><a href="/docs">The API</a> · <a href="/developers">First call</a></p>
      </div>
      <div class="stack prose">${ERROR_CODES.map(sectionOf)}</div>`,
  };
}

function sectionOf(code: (typeof ERROR_CODES)[number]): Html {
  const { status, meaning, remedy } = ERRORS[code];
  return html`<section class="entry" id="${code}">
    <h2><a href="#${code}"><code>${code}</code></a> <small class="muted">${status}</small></h2>
    <p>${marked(meaning)}</p>
    <p><strong>What to do:</strong> ${marked(remedy)}</p>
  </section>`;
}

function marked(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
