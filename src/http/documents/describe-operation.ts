import type { FastifySchema } from 'fastify';
import { ZodNull, type ZodObject, ZodType, ZodUndefined } from 'zod';
import type { JsonSchema } from '../schemas/json-schema.ts';
import { type ComponentSchemas, firstOf } from './component-schemas.ts';
import type { Answer, Operation, Parameter } from './openapi-types.ts';
import { type HeaderName, headerReferences, RATE_LIMIT_HEADERS, SHARED_REFUSALS } from './shared-answers.ts';

declare module 'fastify' {
  /** What the API document says of a route. A route without tags is not in it. */
  interface FastifySchema {
    readonly operationId?: string;
    readonly tags?: readonly string[];
    readonly summary?: string;
    readonly description?: string;
    /** Absent: a key. Empty: public. */
    readonly security?: readonly object[];
  }
}

/** An answer of several media types. */
interface TypedAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: ZodType }>>;
}

/** The operation of a route, with what routes do not state: the refusals of every operation, headers, examples of answers. */
export function describeOperation(route: FastifySchema, schemas: ComponentSchemas): Operation {
  const { operationId = '', tags = [], summary, description, security } = route;
  const answers = route.response as Readonly<Record<string, ZodType | TypedAnswer>>;
  const parameters = [
    ...parametersIn('query', route.querystring, schemas),
    ...parametersIn('path', route.params, schemas),
  ];
  const isConditional = '304' in answers;
  const statuses = new Set([...Object.keys(answers), '429', '500', 'default']);
  // Documents are made without the database.
  if (!tags.includes('Documents')) statuses.add('503');
  if (security === undefined) statuses.add('401');
  if (parameters.length > 0 || route.body !== undefined) statuses.add('422');
  if (route.body !== undefined) for (const status of ['413', '415']) statuses.add(status);

  const headers: HeaderName[] = [
    'X-Request-Id',
    'X-Unknown-Parameters',
    'Cache-Control',
    ...RATE_LIMIT_HEADERS,
  ];
  if (isConditional) headers.push('ETag');
  if (isList(parameters, answers['200'], schemas)) headers.push('Link');
  if (isConditional) parameters.push(IF_NONE_MATCH);
  const responses = [...statuses].sort().map((status) => {
    const refusal = SHARED_REFUSALS[status];
    if (refusal !== undefined) return [status, { $ref: `#/components/responses/${refusal.name}` }];
    return [status, ownAnswer(answers[status] as ZodType | TypedAnswer, headers, schemas)];
  });
  return {
    operationId,
    summary,
    tags,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body instanceof ZodType && {
      requestBody: {
        required: true,
        content: { 'application/json': schemas.addBody(route.body, operationId) },
      },
    }),
    security,
    responses: Object.fromEntries(responses),
  };
}

const IF_NONE_MATCH = {
  in: 'header',
  name: 'If-None-Match',
  required: false,
  description: 'An `ETag` received before; the answer is 304 while the body is the same.',
  schema: { type: 'string' },
  example: 'W/"k4Tt0pZ8vQx1"',
};

function parametersIn(place: 'query' | 'path', given: unknown, schemas: ComponentSchemas): Parameter[] {
  const { shape } = (given ?? { shape: {} }) as ZodObject;
  return Object.entries(schemas.addAll(shape, 'input')).map(
    ([name, { description, examples, ...schema }]) => ({
      in: place,
      name,
      required: place === 'path',
      description: String(description),
      schema,
      example: firstOf(examples),
    }),
  );
}

/** What has a maximum of items, and more of them on further pages. */
function isList(
  parameters: readonly Parameter[],
  answer: ZodType | TypedAnswer | undefined,
  schemas: ComponentSchemas,
): boolean {
  const hasMaximum = parameters.some(({ name }) => name === 'limit' || name === 'page_size');
  if (!hasMaximum || !(answer instanceof ZodType)) return false;
  const { type, properties = {} } = schemas.resolve(schemas.add(answer, 'output'));
  return type === 'array' || MORE.some((name) => Object.hasOwn(properties as object, name));
}

const MORE = ['has_more', 'more_alerts'];

function ownAnswer(
  answer: ZodType | TypedAnswer,
  headers: readonly HeaderName[],
  schemas: ComponentSchemas,
): Answer {
  const { description, content = {} } =
    answer instanceof ZodType ? { ...answer.meta(), ...contentOf(answer) } : answer;
  const media = Object.entries(content).map(([type, { schema }]) => [type, mediaOf(schema, schemas)]);
  return {
    description: String(description),
    ...(media.length > 0 && { content: Object.fromEntries(media) }),
    headers: headerReferences(headers),
  };
}

function contentOf(schema: ZodType): Partial<TypedAnswer> {
  const isEmpty = schema instanceof ZodUndefined || schema instanceof ZodNull;
  return isEmpty ? {} : { content: { 'application/json': { schema } } };
}

function mediaOf(answer: ZodType, schemas: ComponentSchemas): { schema: JsonSchema; example: unknown } {
  const { examples, ...schema } = schemas.add(answer, 'output');
  return { example: firstOf(examples ?? schemas.resolve(schema)['examples']), schema };
}
