import { html } from '../html.ts';
import type { Page } from '../page.ts';

interface Words {
  readonly title: string;
  readonly advice: string;
}

const WORDS: Readonly<Record<number, Words>> = {
  429: {
    title: 'Too many requests',
    advice:
      'More requests came from your address than it may send in a minute. The page is there again in a minute.',
  },
  503: {
    title: 'Unavailable for a moment',
    advice: 'The service cannot read its data now. Try again in some seconds.',
  },
};
const REFUSED: Words = {
  title: 'This address is not valid',
  advice: 'A value in the address has a form that no page takes.',
};
const FAILED: Words = {
  title: 'This page failed',
  advice: 'The fault is in the service, and is in its log under the number below.',
};

/** For requests that were refused or failed. `requestId`: the operator finds it in the log. */
export function errorPage(status: number, requestId: string): Page {
  const { title, advice } = WORDS[status] ?? (status < 500 ? REFUSED : FAILED);
  return {
    title,
    description: advice,
    path: '/',
    isIndexed: false,
    body: html`<div class="stack prose">
      <h1>${title}</h1>
      <p>${advice}</p>
      <p class="muted small">Status ${status}, request <code>${requestId}</code></p>
      <p><a href="/">The newest alerts</a> · <a href="/status">Status</a></p>
    </div>`,
  };
}
