import { type Html, html, textOf } from '../html.ts';

/** Text to copy, which scrolls in its own frame. */
export function code(name: string, text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${name}"><code>${textOf(text)}</code></pre>`;
}
