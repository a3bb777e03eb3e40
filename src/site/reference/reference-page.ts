import type { ApiDocument, Components } from '../../http/documents/openapi-types.ts';
import { REFERENCE_PATH } from '../../http/documents/reference.ts';
import { attribute, type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { blocksOf, marked } from '../parts/markdown.ts';
import { type Chapter, chaptersOf, schemasIn } from './chapters.ts';
import { Fields } from './fields.ts';
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
  const chapters = chaptersOf(document);
  const chapter = chapters.find((each) => each.path === path);
  const { title, description, body } =
    chapter === undefined
      ? overview(document, chapters, publicUrl)
      : chapterPage(chapter, document.components, publicUrl);
  return {
    title,
    description,
    path,
    styles: ['reference.css'],
    body: html`${contentsOf(chapters, path)}
      <div class="reference">${body}</div>`,
  };
}

type Contents = Pick<Page, 'title' | 'description' | 'body'>;

function overview(
  { info, components }: ApiDocument,
  chapters: readonly Chapter[],
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
      const body =
        title === 'Errors' ? html`${words}${objectsPart(components.responses, components)}` : words;
      return { title, body };
    }),
    {
      title: 'Headers',
      body: html`<dl class="fields prose">${headers.map(([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${marked(description)}</dd>`)}</dl>`,
    },
  ];
  return {
    title: 'API reference',
    description:
      'Get a key in a minute. Every operation of the API: parameters, answers, objects and errors, with examples in curl.',
    body: html`<div class="stack prose">
        <h1>API reference</h1>
        <p class="lead">${marked(lead)}</p>
      </div>
      ${sections.map(({ title, body }) => section(title.toLowerCase(), title, body))}`,
  };
}

/** What holds for all requests, and the forms of this reference for programs. */
function basics(paragraphs: readonly string[]): Html {
  return html`<div class="stack prose">
    ${blocksOf(paragraphs.join('\n\n'), 'The API')}
    <p>
      The examples read a key from <code>TIPOFF_API_KEY</code>. Ids, addresses and months in them are invented: put yours there.
      The folder <code>clients</code> of the source has clients in TypeScript and Python, with a method for each operation: no
      registry has them.
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
    <ul>${rows}</ul>
  </div>`;
}

function chapterPage(
  { name, description, calls, deliveries }: Chapter,
  components: Components,
  publicUrl: string,
): Contents {
  const fields = new Fields(components.schemas);
  const operations = [...calls.map(({ operation }) => operation), ...deliveries];
  const names = operations.map(({ summary = '' }) => summary).join(', ');
  const objects = objectsPart(operations, components);
  return {
    title: `${name} API`,
    description: `${description} ${names}: parameters, answers and errors, with examples.`,
    body: html`<div class="stack">
        <h1>${name}</h1>
        <p class="lead">${marked(description)}</p>
      </div>
      ${calls.map((call) => operationPart(call, fields, publicUrl))}
      ${deliveries.map((delivery) => deliveryPart(delivery, fields))}
      ${objects && section('objects', 'Objects', objects)}`,
  };
}

/** The objects that a value names. */
function objectsPart(value: unknown, { schemas }: Components): Html | null {
  const objects = new Fields(schemas).ofObjects(schemasIn(value, schemas));
  return objects.length === 0 ? null : html`<div class="objects">${objects}</div>`;
}

function contentsOf(chapters: readonly Chapter[], path: string): Html {
  const pages = [{ path: REFERENCE_PATH, name: 'Overview' }, ...chapters, ERRORS].map((each) => {
    const current = attribute('aria-current', each.path === path ? 'page' : null);
    return html`<li><a href="${each.path}"${current}>${each.name}</a></li>`;
  });
  return html`<nav aria-label="API reference"><ul class="sorts">${pages}</ul></nav>`;
}
