import type { ApiDocument } from '../../http/documents/openapi-types.ts';
import { REFERENCE_PATH } from '../../http/documents/reference.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { blocksOf, marked } from '../parts/markdown.ts';
import { type Chapter, type Reference, referenceOf } from './chapters.ts';
import { Fields, type Schemas } from './fields.ts';
import { deliveryPart, operationPart } from './operation.ts';
import { startPart } from './start.ts';

const ERRORS = { path: '/docs/errors', name: 'Error codes' };
const FORMS = [
  ['/api/v1/openapi.json', 'OpenAPI'],
  ['/api/v1/asyncapi.json', 'AsyncAPI of the stream'],
  ['/llms.txt', 'llms.txt'],
] as const;

/** The page of the API document at a path: what holds everywhere, or the operations and objects of a tag. */
export function referencePage(document: ApiDocument, path: string, publicUrl: string): Page {
  const reference = referenceOf(document);
  const fields = new Fields(document.components.schemas, reference);
  const chapter = reference.chapters.find((each) => each.path === path);
  const { title, description, parts, body } =
    chapter === undefined
      ? overview(document, reference, fields, publicUrl)
      : chapterPage(chapter, fields, publicUrl);
  return {
    title,
    description,
    path,
    styles: ['reference.css'],
    body: html`<div class="reference">
      ${indexOf(reference, path, parts)}
      <div class="chapter">${body}</div>
    </div>`,
  };
}

interface Contents extends Pick<Page, 'title' | 'description' | 'body'> {
  /** Ids and titles for the index. */
  readonly parts: readonly (readonly [id: string, title: string])[];
}

function overview(
  { info, components }: ApiDocument,
  { chapters, sharedSchemas }: Reference,
  fields: Fields,
  publicUrl: string,
): Contents {
  const [about = '', ...texts] = info.description.split(/\n\n## /);
  const [lead = '', ...more] = about.split('\n\n');
  const headers = Object.entries(components.headers as Readonly<Record<string, { description: string }>>);
  const sections = [
    { title: 'Start', body: startPart(publicUrl) },
    { title: 'Basics', body: basics(more) },
    { title: 'Operations', body: chapters.map(operationList) },
    ...texts.map((text) => {
      const [title = '', ...blocks] = text.split('\n\n');
      const words = html`<div class="stack prose">${blocksOf(blocks.join('\n\n'), title)}</div>`;
      const body = title === 'Errors' ? html`${words}${objectsPart(fields, sharedSchemas)}` : words;
      return { title, body };
    }),
    {
      title: 'Headers',
      body: html`<dl class="fields prose">${headers.map(([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${marked(description)}</dd>`)}</dl>`,
    },
  ].map((each) => ({ ...each, id: each.title.toLowerCase() }));
  return {
    title: 'API reference',
    description:
      'Get a key in a minute. Every operation of the API: parameters, answers, objects and errors, with examples in curl, TypeScript and Python.',
    parts: sections.map(({ id, title }) => [id, title]),
    body: html`<div class="stack prose">
        <h1>API reference</h1>
        <p class="lead">${marked(lead)}</p>
      </div>
      ${sections.map(({ id, title, body }) => section(id, title, body))}`,
  };
}

/** What holds for all requests, and the forms of this reference for programs. */
function basics(paragraphs: readonly string[]): Html {
  return html`<div class="stack prose">
    ${blocksOf(paragraphs.join('\n\n'), 'The API')}
    <p>
      The examples read a key from <code>TIPOFF_API_KEY</code>. Those in TypeScript and Python use our clients, from the folder
      <code>clients</code> of the source: no registry has them. Ids, addresses and months in them are invented: put yours there.
    </p>
    <p>${FORMS.map(([path, title], index) => html`${index === 0 ? '' : ' · '}<a href="${path}">${title}</a>`)}</p>
  </div>`;
}

function operationList({ name, path, description, calls, deliveries }: Chapter): Html {
  const rows = [
    ...calls.map(({ method, path: route, operation }) => ({ operation, method, route })),
    ...deliveries.map((operation) => ({ operation, method: 'post', route: 'the address of a webhook' })),
  ].map(({ operation, method, route }) => {
    const { operationId, summary } = operation;
    return html`<li><a href="${path}#${operationId}">${summary}</a> <code><b>${method.toUpperCase()}</b> ${route}</code></li>`;
  });
  return html`<div>
    <h3><a href="${path}">${name}</a> <small class="muted">${description}</small></h3>
    <ul class="operations">${rows}</ul>
  </div>`;
}

function chapterPage(
  { name, description, calls, deliveries, schemas }: Chapter,
  fields: Fields,
  publicUrl: string,
): Contents {
  const operations = [...calls.map(({ operation }) => operation), ...deliveries];
  const listed = operations.map(({ operationId = '', summary = '' }) => [operationId, summary] as const);
  const objects = objectsPart(fields, schemas);
  const names = operations.map(({ summary = '' }) => summary).join(', ');
  return {
    title: `${name} API`,
    description: `${description} ${names}: parameters, answers and errors, with examples.`,
    parts: objects === null ? listed : [...listed, ['objects', 'Objects']],
    body: html`<div class="stack">
        <p class="muted small"><a href="${REFERENCE_PATH}">API reference</a></p>
        <h1>${name}</h1>
        <p class="lead">${marked(description)}</p>
      </div>
      ${calls.map((call) => operationPart(call, fields, publicUrl))}
      ${deliveries.map((delivery) => deliveryPart(delivery, fields))}
      ${objects && section('objects', 'Objects', objects)}`,
  };
}

function objectsPart(fields: Fields, schemas: Schemas): Html | null {
  const objects = fields.ofObjects(schemas);
  return objects.length === 0 ? null : html`<div class="objects">${objects}</div>`;
}

/** All tags, and what is on this page. */
function indexOf({ chapters }: Reference, path: string, parts: Contents['parts']): Html {
  const here = html`<ul>${parts.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
  const pages = [{ path: REFERENCE_PATH, name: 'Overview' }, ...chapters, ERRORS].map((each) =>
    each.path === path
      ? html`<li><a href="${each.path}" aria-current="page">${each.name}</a>${here}</li>`
      : html`<li><a href="${each.path}">${each.name}</a></li>`,
  );
  return html`<nav class="index" aria-label="API reference">
    <details><summary>Contents</summary><ul>${pages}</ul></details>
  </nav>`;
}
