import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../schemas/json-schema.ts';
import { alertSchema } from '../views/alert-view.ts';
import { ALERT_EXAMPLE } from '../views/examples.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';
import type { ApiDocument, Components, Operation } from './openapi-types.ts';
import { chapterPath } from './reference.ts';

const PREFIX = '#/components/schemas/';

type Schemas = Components['schemas'];

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
          `- [${method.toUpperCase()} ${path}](${chapterPath(name)}#${operation.operationId}): ${inShort(operation, components.schemas)}`,
      );
    return lines.length === 0 ? [] : [`## ${name}\n\n${lines.join('\n')}`];
  });
  const documents = [
    '- [OpenAPI document](/api/v1/openapi.json): every parameter, field, example and error',
    '- [AsyncAPI document](/api/v1/asyncapi.json): the stream: its query, every frame, the close codes',
    '- [Reference](/docs): the same for human readers, with examples in curl',
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

function inShort(operation: Operation, schemas: Schemas): string {
  const { summary = '', description = '', parameters = [], security, requestBody } = operation;
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const { content } = (requestBody ?? {}) as { content?: Record<string, { schema: JsonSchema }> };
  const body = resolved(content?.['application/json']?.schema ?? {}, schemas);
  const query = inQuery.map(({ name, schema }) => `\`${name}\`${rangeOf(resolved(schema, schemas))}`);
  const members = Object.entries(propertiesOf(body)).map(
    ([name, schema]) => `\`${name}\`${rangeOf(resolved(schema, schemas))}`,
  );
  const key = security?.length === 0 ? ' No key.' : '';
  return `${summary}. ${description}${listOf('Query', query)}${listOf('Body', members)}${key}`;
}

function listOf(title: string, texts: readonly string[]): string {
  return texts.length === 0 ? '' : ` ${title}: ${texts.join(', ')}.`;
}

function rangeOf(schema: JsonSchema): string {
  const { enum: allowed, minimum, maximum, default: usual } = schema;
  const values = Array.isArray(allowed) ? allowed.join(', ') : '';
  const bounds = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
  const parts = [values || bounds, usual === undefined ? '' : `default ${usual}`];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? '' : ` (${text})`;
}

function alertText(schemas: Schemas): string {
  const schema = schemas[String(alertSchema.meta()?.id)] ?? {};
  return [
    '**An alert.** `GET /alerts/{id}`, lists with `expand=details`, the stream and webhooks have all fields:',
    `\`\`\`json\n${JSON.stringify(ALERT_EXAMPLE, null, 1)}\n\`\`\``,
    fieldLines(schema, '', schemas).join('\n'),
  ].join('\n\n');
}

function fieldLines(object: JsonSchema, before: string, schemas: Schemas): string[] {
  return Object.entries(propertiesOf(object)).flatMap(([name, given]) => {
    const schema = withoutNull(given, schemas);
    const items = schema['items'] as JsonSchema | undefined;
    const path = `${before}${name}${items === undefined ? '' : '[]'}`;
    const description = String(given['description'] ?? schema['description'] ?? '');
    const line = `- \`${path}\` (${typeOf(given, schema)}): ${description}`;
    const inner = items === undefined ? schema : withoutNull(items, schemas);
    return [line, ...fieldLines(inner, `${path}.`, schemas)];
  });
}

function typeOf(given: JsonSchema, schema: JsonSchema): string {
  const types = [given, ...((given['anyOf'] ?? []) as JsonSchema[])].flatMap(({ type }) => type);
  const isNullable = types.includes('null');
  const allowed = schema['enum'];
  if (Array.isArray(allowed)) return allowed.join(', ') + (isNullable ? ', null' : '');
  const type = schema['items'] === undefined ? [schema['type']].flat().join(' or ') : 'list';
  return isNullable && !type.includes('null') ? `${type} or null` : type;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schemas[String(schema['$ref'] ?? '').slice(PREFIX.length)] ?? schema;
}

function withoutNull(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const found = resolved(schema, schemas);
  const [some] = ((found['anyOf'] ?? []) as JsonSchema[]).filter(({ type }) => type !== 'null');
  return some === undefined ? found : withoutNull(some, schemas);
}

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
