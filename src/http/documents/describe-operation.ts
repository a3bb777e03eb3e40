import type { FastifySchema } from 'fastify';
import { ZodArray, ZodNull, ZodObject, type ZodType, ZodUndefined, z } from 'zod';
import { parameter } from '../schemas/fields.ts';
import { type JsonSchema, type JsonSchemas, resolved } from '../schemas/json-schema.ts';
import type { Answer, Media, Operation, Parameter, StatedOperation } from './openapi-types.ts';
import { type HeaderName, headerReferences, RATE_LIMIT_HEADERS, SHARED_REFUSALS } from './shared-answers.ts';

declare module 'fastify' {
  /** What the API document says of a route. A route without tags is not in it. */
  interface FastifySchema extends StatedOperation {
    /** The media types of the answer. Default: JSON. */
    readonly produces?: readonly string[];
  }
}

/** The operation of a route, with what routes do not state: the refusals of every operation, headers, examples of answers. */
export function describeOperation(method: string, route: FastifySchema, schemas: JsonSchemas): Operation {
  const { querystring, params, body, response, produces = ['application/json'], ...stated } = route;
  const answers = response as Readonly<Record<string, ZodType>>;
  const isConditional = '304' in answers;
  const parameters = [
    ...parametersIn('query', querystring, schemas),
    ...parametersIn('path', params, schemas),
    ...parametersIn('header', isConditional ? CONDITION : undefined, schemas),
  ];
  const names: HeaderName[] = [
    'X-Request-Id',
    'X-Unknown-Parameters',
    'Cache-Control',
    ...RATE_LIMIT_HEADERS,
  ];
  if (isConditional) names.push('ETag');
  if (isList(parameters, answers['200'])) names.push('Link');
  const headers = headerReferences(names);
  const responses = [...statusesOf(method, route)].sort().map((status): [string, Answer] => {
    const refusal = SHARED_REFUSALS[status];
    if (refusal !== undefined) return [status, { $ref: `#/components/responses/${refusal.name}` }];
    return [status, { ...ownAnswer(answers[status] as ZodType, produces, schemas), headers }];
  });
  return {
    ...stated,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': mediaOf(body as ZodType, 'input', schemas) },
      },
    }),
    responses: Object.fromEntries(responses),
  };
}

const CONDITION = z.object({
  'If-None-Match': parameter(
    z.string(),
    'An `ETag` received before; the answer is 304 while the body is the same.',
    'W/"k4Tt0pZ8vQx1"',
  ),
});

/** `given`: an object with the parameters of that place, or nothing. */
export function parametersIn(place: string, given: unknown, schemas: JsonSchemas): readonly Parameter[] {
  const { shape } = (given ?? z.object({})) as ZodObject<Record<string, ZodType>>;
  return Object.entries(schemas.ofShape(shape, 'input')).map(([name, schema]) => ({
    in: place,
    name,
    required: shape[name]?.isOptional() === false,
    ...described(schema),
  }));
}

/** As parameters and headers are described: the words and an example are beside the schema. */
export function described({ description = '', examples, ...schema }: JsonSchema) {
  return { description, schema, example: examples?.[0] };
}

function statusesOf(method: string, { querystring, params, body, response, security, tags }: FastifySchema) {
  const statuses = new Set([...Object.keys(response as object), '429', '500', 'default']);
  // Documents are made without the database.
  if (!tags?.includes('Documents')) statuses.add('503');
  if (security === undefined) statuses.add('401');
  if ([querystring, params, body].some((given) => given !== undefined)) statuses.add('422');
  if (method !== 'GET') statuses.add('415');
  if (body !== undefined) statuses.add('413');
  return statuses;
}

/** What has a maximum of items, and more of them on further pages. */
function isList(parameters: readonly Parameter[], answer: ZodType | undefined): boolean {
  const hasMaximum = parameters.some(({ name }) => name === 'limit' || name === 'page_size');
  const hasMore =
    answer instanceof ZodObject && ('has_more' in answer.shape || 'more_alerts' in answer.shape);
  return hasMaximum && (hasMore || answer instanceof ZodArray);
}

function ownAnswer(answer: ZodType, produces: readonly string[], schemas: JsonSchemas): Answer {
  const description = String(answer.description);
  if (answer instanceof ZodUndefined || answer instanceof ZodNull) return { description };
  const media = produces.map((type) => [type, mediaOf(answer, 'output', schemas)]);
  return { description, content: Object.fromEntries(media) };
}

function mediaOf(body: ZodType, io: 'input' | 'output', schemas: JsonSchemas): Media {
  const { examples, ...schema } = schemas.of(body, io);
  return { example: (examples ?? resolved(schema, schemas.components).examples)?.[0], schema };
}
