import type { Endpoint } from '../../http/documents/endpoints.ts';
import type { Answer, Operation } from '../../http/documents/openapi-types.ts';
import { codesOf } from '../../http/schemas/error-codes.ts';
import { type Html, html } from '../html.ts';
import { code } from '../parts/code.ts';
import { marked } from '../parts/markdown.ts';
import { curlExample } from './curl-example.ts';
import type { Fields } from './fields.ts';

/** What an operation takes and answers. `publicUrl`: for an example in curl; null for a request that the service sends. */
export function operationPart(endpoint: Endpoint, fields: Fields, publicUrl: string | null): Html {
  const { operationId: id, summary, description, parameters, requestBody, responses } = endpoint.operation;
  const bodies = Object.values(requestBody?.content ?? {});
  const answers = Object.entries(responses).filter(([, { $ref }]) => $ref === undefined);
  const examples = [
    ...bodies.flatMap((body) => Object.values(body.examples ?? {})),
    ...answers.flatMap(([status, { content = {} }]) => {
      // One is enough of an answer that has several types.
      const [media] = Object.values(content);
      return media?.example === undefined ? [] : [{ summary: `Answer ${status}`, value: media.example }];
    }),
  ];
  return html`<section class="operation" id="${id}">
    <h2><a href="#${id}">${summary}</a></h2>
    <p class="route">${publicUrl === null ? html`<b>POST</b> to the <code>url</code> of the webhook` : routeOf(endpoint)}</p>
    <p>${marked(description ?? '')}</p>
    ${parameters && html`<h3>Parameters</h3>${fields.ofParameters(parameters)}`}
    ${bodies.map(({ schema }) => html`<h3>Body</h3><p>${fields.typeOf(schema)}, as JSON. ${marked(requestBody?.description ?? '')}</p>`)}
    <h3>Answers</h3>
    <dl class="fields">${answers.map(([status, answer]) => answerRow(status, answer, fields))}</dl>
    ${refusalsOf(responses)} ${publicUrl && code('curl', curlExample(endpoint, publicUrl))}
    ${examples.map(({ summary: title, value }) => html`<details><summary>${title}</summary>${code(title, typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</details>`)}
  </section>`;
}

function routeOf({ method, path, operation: { security } }: Endpoint): Html {
  return html`<b>${method.toUpperCase()}</b> <code>${path}</code>${security && html` <small class="muted">${security.length === 0 ? 'no key' : 'key optional'}</small>`}`;
}

function answerRow(status: string, { content = {}, description = '' }: Answer, fields: Fields): Html {
  const kinds = Object.entries(content).map(
    ([type, { schema }]) => html`, ${type.endsWith('json') ? fields.typeOf(schema) : type}`,
  );
  return html`<dt><code>${status}</code><small>${kinds}</small></dt><dd>${marked(description)}</dd>`;
}

function refusalsOf(responses: Operation['responses']): Html | null {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400);
  const links = statuses.map(
    (status, index) =>
      html`${index === 0 ? '' : ', '}<a href="/docs/errors#${codesOf(Number(status))[0]}">${status}</a>`,
  );
  return links.length === 0 ? null : html`<p class="small muted">Refused with ${links}.</p>`;
}
