import { escapeHtml } from '../core/base/text/escape.ts';

/** A piece of HTML. Templates make it of texts that they escape: a text of the market never counts as one. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** HTML from a template: texts are escaped, null and booleans left out. Attributes need double quotes. */
export function html(template: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const [first = '', ...rest] = withoutIndent(template);
  return new Html(rest.reduce((text, part, index) => text + written(values[index]) + part, first));
}

function written(value: unknown): string {
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.reduce((text: string, item) => text + written(item), '');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return escapeHtml(String(value));
}

const dedented = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Indentation is for the readers of the source, and a fifteenth of a page. */
function withoutIndent(template: TemplateStringsArray): readonly string[] {
  const known = dedented.get(template);
  if (known !== undefined) return known;
  const parts = template.map((part) => part.replaceAll(/\n\s+/g, '\n'));
  dedented.set(template, parts);
  return parts;
}

/** Text between tags, where quotes need no entity: examples are full of them. */
export function textOf(text: string): Html {
  return new Html(escapeHtml(text).replaceAll('&quot;', '"'));
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
