import type { Answer, Operation } from '../../http/documents/openapi-types.ts';
import { codesOf } from '../../http/schemas/error-codes.ts';
import type { JsonSchema } from '../../http/schemas/json-schema.ts';
import { type Html, html } from '../html.ts';
import { code } from '../parts/code.ts';
import { marked } from '../parts/markdown.ts';
import { curlExample, type Endpoint } from './curl-example.ts';
import type { Fields } from './fields.ts';

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Body {
  readonly description?: string;
  readonly content: Readonly<Record<string, Media>>;
}

/** One operation: what it takes and answers, with a request and an answer. */
export function operationPart(endpoint: Endpoint, fields: Fields, publicUrl: string): Html {
  const { method, path, operation } = endpoint;
  const { security, requestBody, responses } = operation;
  const body = (requestBody as Body | undefined)?.content['application/json'];
  return partOf(
    operation,
    html`<p class="route"><b>${method.toUpperCase()}</b> <code>${path}</code>${security && html` <span class="badge">${security.length === 0 ? 'no key' : 'key optional'}</span>`}</p>`,
    html`${parametersOf(operation, fields)}
      ${body && html`<h3>Body</h3><p>${fields.typeOf(body.schema)}, as JSON.</p>`}
      <h3>Answers</h3>
      ${answersOf(responses, fields)}
      ${code('curl', curlExample(endpoint, publicUrl))} ${answerExample(responses)}`,
  );
}

/** A request that the service sends. */
export function deliveryPart(operation: Operation, fields: Fields): Html {
  const { content, description = '' } = operation.requestBody as Body;
  const [{ schema, examples = {} } = { schema: {} }] = Object.values(content);
  return partOf(
    operation,
    html`<p class="route"><b>POST</b> to the <code>url</code> of the webhook</p>`,
    html`${parametersOf(operation, fields)}
      <h3>Body</h3>
      <p>${fields.typeOf(schema)}. ${marked(description)}</p>
      <h3>Your answer</h3>
      <dl class="fields">
        ${Object.entries(operation.responses).map(([status, answer]) => html`<dt><code>${status}</code></dt><dd>${marked(answer.description ?? '')}</dd>`)}
      </dl>
      ${Object.values(examples).map(({ summary, value }) => foldedExample(summary, value))}`,
  );
}

function partOf(
  { operationId: id, summary = '', description = '' }: Operation,
  route: Html,
  body: Html,
): Html {
  return html`<section class="operation" id="${id}">
    <h2><a href="#${id}">${summary}</a></h2>
    ${route}
    <p>${marked(description)}</p>
    ${body}
  </section>`;
}

function parametersOf({ parameters = [] }: Operation, fields: Fields): Html | null {
  return parameters.length === 0 ? null : html`<h3>Parameters</h3>${fields.ofParameters(parameters)}`;
}

function answersOf(responses: Operation['responses'], fields: Fields): readonly Html[] {
  const answers = Object.entries(responses);
  const rows = answers.filter(([status]) => Number(status) < 300).map((each) => answerRow(each, fields));
  const refusals = answers.filter(([status]) => Number(status) >= 400);
  const links = refusals.map(
    ([status], index) =>
      html`${index === 0 ? '' : ', '}<a href="/docs/errors#${codesOf(Number(status))[0]}">${status}</a>`,
  );
  return [
    html`<dl class="fields">
      ${rows}
    </dl>`,
    html`<p class="small muted">Refused with ${links}.</p>`,
  ];
}

function answerRow([status, { content = {}, description = '' }]: [string, Answer], fields: Fields): Html {
  const kinds = Object.entries(content).map(
    ([type, { schema }]) => html`, ${type.endsWith('json') ? fields.typeOf(schema) : type}`,
  );
  return html`<dt><code>${status}</code><small>${kinds}</small></dt><dd>${marked(description)}</dd>`;
}

function answerExample(responses: Operation['responses']): Html | null {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const [media] = Object.values(content);
    if (status.startsWith('2') && media?.example !== undefined)
      return foldedExample(`Answer ${status}`, media.example);
  }
  return null;
}

function foldedExample(title: string, value: unknown): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<details><summary>${title}</summary>${code(title, text)}</details>`;
}
