import type { TextPage, TextSection } from '../../http/documents/text-page.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';

/** A document of the API in the look of the site. */
export function sitePageOf({ title, description, path, about, sections }: TextPage): Page {
  return {
    title,
    description,
    path,
    body: html`<div class="stack prose">
        <h1>${title}</h1>
        <p>${marked(about)}</p>
        <p><a href="/docs">The API</a> · <a href="/developers">First call</a></p>
      </div>
      <div class="stack prose">${sections.map(sectionOf)}</div>`,
  };
}

function sectionOf({ id, title, note, paragraphs }: TextSection): Html {
  const beside = note === undefined ? null : html` <small class="muted">${note}</small>`;
  return html`<section class="entry" id="${id}">
    <h2><a href="#${id}">${marked(title)}</a>${beside}</h2>
    ${paragraphs.map((text) => html`<p>${marked(text)}</p>`)}
  </section>`;
}

function marked(text: string): readonly Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`;
  });
}
