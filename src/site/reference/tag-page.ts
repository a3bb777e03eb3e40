import type { ApiDocument } from '../../http/documents/describe-api.ts';
import { taggedEndpoints, tagPath } from '../../http/documents/endpoints.ts';
import { html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { marked } from '../parts/markdown.ts';
import { Fields } from './fields.ts';
import { operationPart } from './operation.ts';

/** The operations of a tag, and the objects that they name. */
export function tagPage(
  { name, description }: ApiDocument['tags'][number],
  { paths, webhooks, components }: ApiDocument,
  publicUrl: string,
): Page {
  const fields = new Fields(components.schemas);
  const calls = taggedEndpoints(paths, name);
  const deliveries = taggedEndpoints(webhooks, name);
  const operations = [...calls, ...deliveries].map(({ operation }) => operation);
  const objects = fields.ofObjectsIn(operations);
  const names = operations.map(({ summary }) => summary).join(', ');
  return {
    title: `${name} API`,
    description: `${description} ${names}: parameters, answers and errors, with examples.`,
    path: tagPath(name),
    styles: ['reference.css'],
    body: html`<div class="reference">
      <div class="stack">
        <p class="muted small"><a href="/docs#operations">API reference</a></p>
        <h1>${name}</h1>
        <p class="lead">${marked(description)}</p>
      </div>
      ${calls.map((call) => operationPart(call, fields, publicUrl))}
      ${deliveries.map((delivery) => operationPart(delivery, fields, null))}
      ${objects.length > 0 && section('objects', 'Objects', html`<div class="objects">${objects}</div>`)}
    </div>`,
  };
}
