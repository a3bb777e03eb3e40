import type { Answer, JsonSchema, Operation } from '../../http/documents/openapi-types.ts';
import { REFERENCE_PATH } from '../../http/documents/reference.ts';
import { codesOf, type ErrorCode } from '../../http/schemas/error-codes.ts';
import { type Html, html } from '../html.ts';
import { codeToCopy } from '../parts/code.ts';
import { marked } from '../parts/markdown.ts';
import type { Fields } from './fields.ts';
import { type Endpoint, LANGUAGES, requestExamples } from './request-examples.ts';

/** Refusals of every kind of operation: the section on errors describes them. */
const COMMON = new Set(['401', '413', '415', '422', '429', '500', '503', 'default']);
const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Body {
  readonly description?: string;
  readonly content: Readonly<Record<string, Media>>;
}

/** One operation: what it takes and answers, and beside it programs and an answer. */
export function operationPart(endpoint: Endpoint, fields: Fields, publicUrl: string): Html {
  const { method, path, operation } = endpoint;
  const { operationId: id, summary = '', description = '', security } = operation;
  const requests = requestExamples(endpoint, publicUrl);
  return html`<section class="operation" id="${id}">
    <div class="stack">
      <h2><a href="#${id}">${summary}</a></h2>
      <p class="route"><b>${method.toUpperCase()}</b> <code>${path}</code>${security && html` <span class="badge">${security.length === 0 ? 'no key' : 'key optional'}</span>`}</p>
      <p>${marked(description)}</p>
      ${inputsOf(operation, fields)} ${answersOf(endpoint, fields)}
    </div>
    <div class="examples">
      ${LANGUAGES.map((language, index) => {
        return html`<details name="${id}" data-language="${language}"${index === 0 ? html` open` : null}><summary>${language}</summary>${codeToCopy(language, requests[language])}</details>`;
      })}
      ${answerExample(operation.responses)}
    </div>
  </section>`;
}

/** A request that the service sends. */
export function deliveryPart(operation: Operation, fields: Fields): Html {
  const { operationId: id, summary = '', description = '' } = operation;
  const { content, description: about = '' } = operation.requestBody as Body;
  const [{ schema, examples = {} } = { schema: {} }] = Object.values(content);
  return html`<section class="operation" id="${id}">
    <div class="stack">
      <h2><a href="#${id}">${summary}</a></h2>
      <p class="route"><b>POST</b> to the <code>url</code> of the webhook</p>
      <p>${marked(description)}</p>
      ${inputsOf(operation, fields)}
      <h3>Body</h3>
      <p>${fields.typeOf(schema)}. ${marked(about)}</p>
      <h3>Your answer</h3>
      <dl class="fields">
        ${Object.entries(operation.responses).map(([status, answer]) => html`<dt><code>${status}</code></dt><dd>${marked(answer.description ?? '')}</dd>`)}
      </dl>
    </div>
    <div class="examples">
      ${Object.values(examples).map((each, index) => exampleOfAnswer(each.summary, each.value, index === 0))}
    </div>
  </section>`;
}

function inputsOf({ operationId, parameters = [], requestBody }: Operation, fields: Fields): readonly Html[] {
  const lists = PLACES.map(([place, title]) => {
    const inside = parameters.filter((each) => each.in === place);
    return inside.length === 0 ? html`` : html`<h3>${title}</h3>${fields.ofParameters(inside)}`;
  });
  const media = (requestBody as Body | undefined)?.content['application/json'];
  const isSent = parameters.some(({ name }) => name === 'webhook-signature');
  if (media === undefined || isSent) return lists;
  return [...lists, html`<h3>Body</h3>${fields.ofBody(media.schema, operationId)}`];
}

function answersOf(endpoint: Endpoint, fields: Fields): Html {
  const answers = Object.entries(endpoint.operation.responses);
  const own = answers.filter(([status]) => !COMMON.has(status) && status !== '304');
  const common = answers.filter(([status]) => COMMON.has(status) && status !== 'default');
  const links = common.map(
    ([status], index) =>
      html`${index === 0 ? '' : ', '}<a href="${helpPath(codesOf(Number(status))[0])}">${status}</a>`,
  );
  return html`<h3>Answers</h3>
    <dl class="fields">
      ${own.map(([status, answer]) => answerRow(status, answer, { endpoint, fields }))}
    </dl>
    <p class="small muted">As <a href="${REFERENCE_PATH}#errors">any operation</a>: ${links}.</p>`;
}

interface RowContext {
  readonly endpoint: Endpoint;
  readonly fields: Fields;
}

function answerRow(status: string, answer: Answer, { endpoint, fields }: RowContext): Html {
  if (Number(status) >= 400) {
    const codes = codesFor(Number(status), endpoint);
    const links = codes.map(
      (code, index) => html`${index === 0 ? '' : ', '}<a href="${helpPath(code)}">${code}</a>`,
    );
    return html`<dt><code>${status}</code></dt><dd>${links}</dd>`;
  }
  const kinds = Object.entries(answer.content ?? {}).map(([type, { schema }]) => {
    const isJson = type.endsWith('json');
    return html`, ${isJson ? fields.typeOf(schema) : type}`;
  });
  return html`<dt><code>${status}</code><small>${kinds}</small></dt><dd>${marked(answer.description ?? '')}</dd>`;
}

/** The codes of a status that an operation can have: those on what it names or creates; without any the first. */
function codesFor(status: number, { method, path, operation }: Endpoint): readonly ErrorCode[] {
  const names = (operation.parameters ?? []).map(({ name }) => name.toLowerCase());
  const isCreation = method === 'post' && !path.includes('{');
  const codes = codesOf(status);
  const named = codes.filter((code) => {
    const [subject = ''] = code.split('_');
    const isInPath = path.includes(subject.replace(/y$/, 'ie'));
    // Other parameters are filters: without a match the answer is empty.
    if (code.endsWith('not_found'))
      return (isInPath && path.includes('{')) || (subject === 'preset' && names.includes(subject));
    return isInPath && (isCreation || !/(?:limit_reached|url_taken)$/.test(code));
  });
  return named.length > 0 ? named : codes.slice(0, 1);
}

function helpPath(code: ErrorCode | undefined): string {
  return `/docs/errors${code === undefined ? '' : `#${code}`}`;
}

function answerExample(responses: Operation['responses']): Html | null {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const [media] = Object.values(content) as readonly Media[];
    if (status.startsWith('2') && media?.example !== undefined)
      return exampleOfAnswer(`Answer ${status}`, media.example, true);
  }
  return null;
}

function exampleOfAnswer(title: string, value: unknown, isOpen: boolean): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<details${isOpen ? html` open` : null}><summary>${title}</summary>${codeToCopy(title, text)}</details>`;
}
