import { html } from '../html.ts';
import type { Page } from '../page.ts';

/** For addresses that lead nowhere, and for alerts that are not public yet: both look the same. */
export function notFoundPage(): Page {
  return {
    title: 'Not found',
    description: 'There is no page at this address.',
    path: '/404',
    isIndexed: false,
    body: html`<div class="stack prose">
      <h1>There is no page here</h1>
      <p>The address may be mistyped. An alert has a page once free keys see it.</p>
      <p><a href="/">The newest alerts</a> · <a href="/docs">The API</a></p>
    </div>`,
  };
}
