import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { escapeHtml } from '../core/base/text/escape.ts';

/** A piece of HTML. Only templates make it, so that a text of the market never counts as one. */
export type Html = HtmlEscapedString;

/** HTML from a template: texts are escaped, null and booleans left out. Attributes need quotes. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  // A promise comes of values that are promises only.
  return template(strings, ...values) as Html;
}

/** Text between tags, where quotes need no entity: examples are full of them. */
export function textOf(text: string): Html {
  return raw(escapeHtml(text).replaceAll('&quot;', '"')) as Html;
}

export function attribute(name: `aria-${string}` | `data-${string}`, value: string | null): Html {
  return value === null ? html`` : html` ${name}="${value}"`;
}

/** A part of a page under a heading that names it. `live`: it is replaced when the page changes. */
export function section(id: string, title: string, body: unknown, look: 'prose' | 'live' | '' = ''): Html {
  const live = look === 'live' ? html` data-live` : null;
  return html`<section class="stack${look === 'prose' ? ' prose' : ''}" id="${id}" aria-labelledby="${id}-title"${live}>
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`;
}
