import type { TextPage, TextSection } from '../../http/documents/document-pages.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { marked } from '../parts/markdown.ts';

/** A document of the API in the look of the site. */
export function sitePageOf({ title, description, path, about, sections }: TextPage): Page {
  return {
    title,
    description,
    path,
    body: html`<div class="stack prose">
        <p class="muted small"><a href="/docs">API reference</a></p>
        <h1>${title}</h1>
        <p>${marked(about)}</p>
      </div>
      <div class="stack prose">${sections.map(sectionOf)}</div>`,
  };
}

function sectionOf({ id, title, note, paragraphs }: TextSection): Html {
  return html`<section class="entry" id="${id}">
    <h2><a href="#${id}">${marked(title)}</a> <small class="muted">${note}</small></h2>
    ${paragraphs.map((text) => html`<p>${marked(text)}</p>`)}
  </section>`;
}
