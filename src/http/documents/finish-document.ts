import { codesOf, errorSchema } from '../schemas/error-codes.ts';
import { invalidRequestSchema } from '../schemas/validation.ts';
import type { Answer, ApiDocument, Components, JsonSchema, Operation, Parameter } from './openapi-types.ts';
import { tidySchemas } from './schema-names.ts';
import { HEADERS, type HeaderName, RATE_LIMIT_HEADERS, SHARED_REFUSALS } from './shared-answers.ts';
import { shareSchemas } from './shared-schemas.ts';

/** Of refusals before an operation is found, and of malformed requests. */
const EARLY_STATUSES = [400, 405, 408, 414, 417, 431];

/** Their operations use no database, so they do not answer 503. */
const TAGS_WITHOUT_DATABASE = new Set(['Documents']);

/** Adds what routes do not state: the refusals of every operation, headers, examples of answers, and shared components. */
export function finishDocument(raw: ApiDocument): ApiDocument {
  const shared = shareSchemas(structuredClone(raw));
  nameRequestBodies(shared);
  const document = tidySchemas(shared);
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) finishOperation(operation, document.components);
  }
  document.components.headers = HEADERS;
  document.components.responses = Object.fromEntries(
    Object.entries(SHARED_REFUSALS).map(([status, refusal]) => [refusal.name, sharedAnswer(status)]),
  );
  return document;
}

function finishOperation(operation: Operation, components: Components): void {
  const { parameters = [], requestBody, tags = [], security } = operation;
  const isDocument = tags.some((tag) => TAGS_WITHOUT_DATABASE.has(tag));
  const hasInput = parameters.length > 0 || requestBody !== undefined;
  const isConditional = operation.responses['304'] !== undefined;
  const statuses = new Set([...Object.keys(operation.responses), '429', '500', 'default']);
  if (!isDocument) statuses.add('503');
  if (security === undefined) statuses.add('401');
  if (hasInput) statuses.add('422');
  if (requestBody !== undefined) for (const status of ['413', '415']) statuses.add(status);

  const headers: HeaderName[] = [
    'X-Request-Id',
    'X-Unknown-Parameters',
    'Cache-Control',
    ...RATE_LIMIT_HEADERS,
  ];
  if (isConditional) headers.push('ETag');
  if (isList(operation, components)) headers.push('Link');
  if (isConditional) parameters.push(IF_NONE_MATCH);
  if (parameters.length > 0) operation.parameters = parameters.map(shownOnly);

  operation.responses = Object.fromEntries(
    [...statuses].sort().map((status) => {
      const refusal = SHARED_REFUSALS[status];
      if (refusal !== undefined) return [status, { $ref: `#/components/responses/${refusal.name}` }];
      return [status, ownAnswer(operation.responses[status] ?? {}, headers, components)];
    }),
  );
}

/** What has a maximum of items, and more of them on further pages. */
function isList({ parameters = [], responses }: Operation, { schemas }: Components): boolean {
  const { schema } = responses['200']?.content?.['application/json'] ?? {};
  if (schema === undefined || !parameters.some(({ name }) => name === 'limit' || name === 'page_size'))
    return false;
  const { type, properties = {} } = namedSchema(schema, schemas) ?? schema;
  return type === 'array' || MORE.some((name) => Object.hasOwn(properties as object, name));
}

const MORE = ['has_more', 'more_alerts'];

/** The page sends every example as a value: those of optional parameters are shown only, so that a first request has no filters. */
function shownOnly({ example, ...parameter }: Parameter): Parameter {
  if (parameter.required === true) return { ...parameter, example };
  return { ...parameter, examples: { example: { value: example, 'x-disabled': true } } };
}

const IF_NONE_MATCH = {
  in: 'header',
  name: 'If-None-Match',
  required: false,
  description: 'An `ETag` received before; the answer is 304 while the body is the same.',
  schema: { type: 'string' },
  example: 'W/"k4Tt0pZ8vQx1"',
};

function ownAnswer(answer: Answer, headers: readonly HeaderName[], { schemas }: Components): Answer {
  const content = Object.fromEntries(
    Object.entries(answer.content ?? {}).map(([type, media]) => {
      const named = namedSchema(media.schema, schemas);
      const [example] = (named?.['examples'] ?? []) as unknown[];
      return [type, { ...(example !== undefined && { example }), ...media }];
    }),
  );
  const [media] = Object.values(answer.content ?? {});
  const described = media === undefined ? undefined : namedSchema(media.schema, schemas)?.['description'];
  return {
    ...answer,
    ...(described !== undefined && { description: String(described) }),
    headers: headerNotes(headers),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function sharedAnswer(status: string): Answer {
  const { headers = [], ...refusal } = SHARED_REFUSALS[status] as (typeof SHARED_REFUSALS)[string];
  const ofOperation: HeaderName[] = status === 'default' ? [] : ['X-Unknown-Parameters'];
  const schema = status === '422' ? invalidRequestSchema : errorSchema;
  const $ref = `#/components/schemas/${schema.meta()?.id}`;
  return {
    description: withCodes(refusal.description, status === 'default' ? EARLY_STATUSES : [Number(status)]),
    headers: headerNotes(['X-Request-Id', 'Link', ...ofOperation, ...headers]),
    content: { 'application/json': { schema: { $ref }, example: refusal.example } },
  };
}

function withCodes(description: string, statuses: readonly number[]): string {
  const codes = statuses.flatMap(codesOf).map((code) => `\`${code}\``);
  return `${description} Code: ${codes.join(', ')}.`;
}

function headerNotes(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function namedSchema(schema: JsonSchema, schemas: Components['schemas']): JsonSchema | undefined {
  const { $ref } = schema;
  return typeof $ref === 'string' ? schemas[$ref.slice('#/components/schemas/'.length)] : undefined;
}

const PREFIX = '#/components/schemas/';

interface RequestBody {
  readonly content: Record<string, { schema: JsonSchema }>;
}

/** `createPreset` takes a `CreatePreset`. Operations with equal bodies share the name of the first. */
function nameRequestBodies({ paths, components }: ApiDocument): void {
  const names = new Map<string, string>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const media = (operation.requestBody as RequestBody | undefined)?.content['application/json'];
    if (media === undefined || '$ref' in media.schema) continue;
    const text = JSON.stringify(media.schema);
    const name = names.get(text) ?? pascalCase(operation);
    names.set(text, name);
    components.schemas[name] ??= { description: `Body of \`${operation.operationId}\`.`, ...media.schema };
    media.schema = { $ref: PREFIX + name };
  }
}

function pascalCase({ operationId = '' }: Operation): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}
