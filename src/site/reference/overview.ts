import type { ApiDocument } from '../../http/documents/describe-api.ts';
import { taggedEndpoints, tagPath } from '../../http/documents/endpoints.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { blocksOf, marked } from '../parts/markdown.ts';
import { Fields } from './fields.ts';
import { startPart } from './start.ts';

/** The quickstart, every operation with a link to its page, and what holds for all of them. */
export function overviewPage(document: ApiDocument, publicUrl: string): Page {
  const { info, components } = document;
  return {
    title: 'API reference',
    description:
      'Get a key in a minute. Every operation of the API: parameters, answers, objects and errors, with examples in curl.',
    path: '/docs',
    styles: ['reference.css'],
    body: html`<div class="reference">
      <h1>API reference</h1>
      ${section('start', 'Start', startPart(publicUrl))}
      ${section('operations', 'Operations', operationLists(document))}
      <div class="stack prose">
        ${FORMS} ${blocksOf(info.description)}
        <h2 id="headers">Headers</h2>
        <dl class="fields">
          ${Object.entries(components.headers).map(([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${marked(description)}</dd>`)}
        </dl>
        <h2 id="objects">Objects</h2>
        <div class="objects">${new Fields(components.schemas).ofObjectsIn(components.responses)}</div>
      </div>
    </div>`,
  };
}

const FORMS = html`<p>
    The examples read a key from <code>TIPOFF_API_KEY</code>. Ids, addresses and months in them are invented: put yours there.
    The folder <code>clients</code> of the source has clients in TypeScript and Python, with a method for each operation: no
    registry has them.
  </p>
  <p>
    For programs: <a href="/api/v1/openapi.json">OpenAPI</a>, <a href="/api/v1/asyncapi.json">AsyncAPI of the stream</a>,
    <a href="/llms.txt">llms.txt</a>. For people: <a href="/docs/errors">error codes</a>.
  </p>`;

function operationLists({ tags, paths, webhooks }: ApiDocument): readonly Html[] {
  return tags.map(({ name, description }) => {
    const deliveries = taggedEndpoints(webhooks, name).map((each) => ({ ...each, path: 'your address' }));
    const rows = [...taggedEndpoints(paths, name), ...deliveries].map(
      ({ method, path, operation: { operationId, summary } }) =>
        html`<li><a href="${tagPath(name)}#${operationId}">${summary}</a> <code><b>${method.toUpperCase()}</b> ${path}</code></li>`,
    );
    return html`<div>
      <h3><a href="${tagPath(name)}">${name}</a> <small class="muted">${description}</small></h3>
      <ul>${rows}</ul>
    </div>`;
  });
}
