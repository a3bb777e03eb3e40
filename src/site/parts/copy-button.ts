import { type Html, html } from '../html.ts';

/** Copies a text. It is shown where `copy.js` can copy; the page has the text itself as well. */
export function copyButton(text: string, what: string): Html {
  return html`<button class="copy" type="button" data-copy="${text}">Copy<span class="hidden"> ${what}</span></button>`;
}
