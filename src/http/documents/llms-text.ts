import type { FastifyInstance } from 'fastify';
import { ReadyAnswer } from '../views/ready-answer.ts';
import { alertText } from './alert-text.ts';
import type { ApiDocument, Components, JsonSchema, Operation } from './openapi-types.ts';

/** The document in the format of llmstxt.org. */
function llmsText({ info, tags, paths, components }: ApiDocument): string {
  const [about = '', ...sections] = info.description.split(/\n\n(?=## )/);
  const [summary = '', ...more] = about.split('\n\n');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const endpoints = tags.flatMap(({ name }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(
        ({ method, path, operation }) =>
          `- ${link(name, method, path)}: ${inShort(operation, components.schemas)}`,
      );
    return lines.length === 0 ? [] : [`## ${name}\n\n${lines.join('\n')}`];
  });
  const documents = [
    '- [OpenAPI document](/api/v1/openapi.json): every parameter, field, example and error',
    '- [AsyncAPI document](/api/v1/asyncapi.json): the stream: its query, every frame, the close codes',
    '- [Interactive page](/docs): reference with a request editor',
    '- [Errors](/docs/errors): every error code with its meaning and remedy; text with `Accept: text/plain`',
  ];
  const parts = [
    `# ${info.title}`,
    `> ${summary}`,
    `${more.join('\n\n')} Version ${info.version}; \`{base_url}\` is this host with \`/api/v1\`.`,
    ...sections.map((section) => section.replace('## ', '### ')).map(asPlain),
    alertText(components.schemas),
    ...endpoints,
    `## Reference\n\n${documents.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Only lists of links have headings (llmstxt.org). */
function asPlain(section: string): string {
  return section.replace(
    /^### (.+)\n\n(\|)?/,
    (_all, title, table = '') => `**${title}.**${table === '' ? ' ' : '\n\n|'}`,
  );
}

/** Links to the operation on the interactive page. */
function link(tag: string, method: string, path: string): string {
  const anchor = `tag/${tag.toLowerCase()}/${method.toUpperCase()}${path}`;
  return `[${method.toUpperCase()} ${path}](/docs#${anchor})`;
}

function inShort(operation: Operation, schemas: Components['schemas']): string {
  const { summary = '', description = '', parameters = [], security } = operation;
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const query = listOf(
    'Query',
    inQuery.map(({ name, schema }) => [name, resolved(schema, schemas)]),
  );
  const members = Object.entries(propertiesOf(operation, schemas));
  const body = listOf(
    'Body',
    members.map(([name, schema]) => [name, resolved(schema, schemas)]),
  );
  return `${summary}. ${description}${query}${body}${security?.length === 0 ? ' No key.' : ''}`;
}

function listOf(title: string, values: readonly (readonly [name: string, schema: JsonSchema])[]): string {
  const texts = values.map(([name, schema]) => `\`${name}\`${rangeOf(schema)}`);
  return texts.length === 0 ? '' : ` ${title}: ${texts.join(', ')}.`;
}

/** The allowed values and the default. */
function rangeOf(schema: JsonSchema): string {
  const { enum: allowed, minimum, maximum, default: usual } = schema;
  const values = Array.isArray(allowed) ? allowed.join(', ') : '';
  const bounds = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
  const parts = [values || bounds, usual === undefined ? '' : `default ${usual}`];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? '' : ` (${text})`;
}

function propertiesOf(
  { requestBody }: Operation,
  schemas: Components['schemas'],
): Record<string, JsonSchema> {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { schema: JsonSchema }> };
  const schema = resolved(content?.['application/json']?.schema ?? {}, schemas);
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

/** The schema itself, or the component that it refers to. */
function resolved(schema: JsonSchema, schemas: Components['schemas']): JsonSchema {
  const name = String(schema['$ref'] ?? '').slice('#/components/schemas/'.length);
  return schemas[name] ?? schema;
}

/** The description of the API in the format of llmstxt.org. */
export function registerLlms(app: FastifyInstance, describe: () => ApiDocument): void {
  let answer: ReadyAnswer | null = null;
  app.get('/llms.txt', (request, reply) => {
    answer ??= new ReadyAnswer(llmsText(describe()), {
      contentType: 'text/plain; charset=utf-8',
      cacheControl: 'public, max-age=300',
      vary: 'origin',
    });
    return answer.send(request, reply);
  });
}
