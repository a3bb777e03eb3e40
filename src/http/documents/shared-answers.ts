import { codesOf, errorSchema, plainBody } from '../schemas/error-codes.ts';
import { integer, text } from '../schemas/fields.ts';
import type { JsonSchemas } from '../schemas/json-schema.ts';
import { invalidRequestSchema } from '../schemas/validation.ts';
import type { Answer } from './openapi-types.ts';

const LIMIT = 'Requests per minute. Absent for a key without a limit.';
const REMAINING = 'Requests left in the window.';
const RESET = 'Seconds until the window ends.';

export const HEADERS = {
  'X-Request-Id': text(
    'Id of the request. One that the client sends is kept if it is 1 to 64 letters, digits, dots, underscores and hyphens.',
    'trace-12345678',
  ),
  'RateLimit-Limit': integer(LIMIT, 300),
  'RateLimit-Remaining': integer(REMAINING, 299),
  'RateLimit-Reset': integer(RESET, 60),
  'X-RateLimit-Limit': integer(LIMIT, 300),
  'X-RateLimit-Remaining': integer(REMAINING, 299),
  'X-RateLimit-Reset': integer(RESET, 60),
  'Retry-After': integer('Seconds to wait.', 7),
  'WWW-Authenticate': text('The authentication scheme.', 'Bearer'),
  'X-Unknown-Parameters': text(
    'Unknown query parameters, and unknown filters of the preset that is saved or applied; they are not used. Percent-encoded, at most 20; absent if there are none.',
    'pagesize, min_score',
  ),
  Link: text(
    'The next page (`rel="next"`), absent on the last one; with page numbers above 1 also the page before it (`prev`) and the first (`first`). Each is an absolute path with the query of the request. In an error, the explanation of its code (`rel="help"`).',
    '</api/v1/alerts?min_signal=60&before_id=4802>; rel="next"',
  ),
  ETag: text('Tag of this version of the body; send it as `If-None-Match`.', 'W/"k4Tt0pZ8vQx1"'),
  'Cache-Control': text('How long the answer may be cached.', 'no-store'),
};
export type HeaderName = keyof typeof HEADERS;

export const RATE_LIMIT_HEADERS = Object.keys(HEADERS).filter((name) =>
  name.includes('RateLimit-'),
) as readonly HeaderName[];

interface Refusal {
  readonly name: string;
  readonly description: string;
  readonly example: unknown;
  readonly headers?: readonly HeaderName[];
}

const VALUE_PROBLEM = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };

export const SHARED_REFUSALS: Readonly<Record<string, Refusal>> = {
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, unknown or revoked.',
    example: { detail: 'Invalid API key.', code: 'key_invalid' },
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The tier of the key does not include this feature.',
    example: { detail: 'Webhooks need the enterprise tier; this key is pro.', code: 'tier_required' },
    headers: RATE_LIMIT_HEADERS,
  },
  404: {
    name: 'NotFound',
    description: 'Not found for this key.',
    example: { detail: 'Alert 4821 was not found.', code: 'alert_not_found' },
    headers: RATE_LIMIT_HEADERS,
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with what the key has, or the key has reached its maximum.',
    example: {
      detail: 'A key has at most 20 webhooks. Delete one with DELETE /webhooks/{webhook_id} first.',
      code: 'webhook_limit_reached',
    },
    headers: RATE_LIMIT_HEADERS,
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 64 KB.',
    example: plainBody('body_too_large'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not sent as `application/json` in UTF-8, or it is compressed.',
    example: plainBody('unsupported_media_type'),
  },
  422: {
    name: 'Invalid',
    description: 'The request has invalid values; each is named.',
    example: { detail: [VALUE_PROBLEM], code: 'invalid_request' },
    headers: RATE_LIMIT_HEADERS,
  },
  429: {
    name: 'TooManyRequests',
    description:
      'A limit was exceeded: requests, simultaneous archive requests or downloads, failed keys, or webhook tests.',
    example: { detail: 'Rate limit exceeded. pro tier: 300 req/min.', code: 'rate_limited' },
    headers: ['Retry-After', ...RATE_LIMIT_HEADERS],
  },
  500: {
    name: 'ServerFault',
    description: 'A fault of the service.',
    example: plainBody('internal_error'),
  },
  503: {
    name: 'Unavailable',
    description: 'The service is temporarily unavailable.',
    example: plainBody('unavailable'),
    headers: ['Retry-After'],
  },
  default: {
    name: 'Refused',
    description:
      'Requests refused before an operation is found, and malformed requests: 400, 405, 408, 414, 417, 431.',
    example: plainBody('bad_request'),
  },
};

/** Of refusals before an operation is found, and of malformed requests. */
const EARLY_STATUSES = [400, 405, 408, 414, 417, 431];

/** The answers that operations share, by name. */
export function sharedAnswers(schemas: JsonSchemas): Readonly<Record<string, Answer>> {
  const answers = Object.entries(SHARED_REFUSALS).map(([status, refusal]): [string, Answer] => {
    const { name, description, example, headers = [] } = refusal;
    const isEarly = status === 'default';
    const codes = (isEarly ? EARLY_STATUSES : [Number(status)]).flatMap(codesOf);
    const schema = schemas.of(status === '422' ? invalidRequestSchema : errorSchema, 'output');
    const ofOperation: HeaderName[] = isEarly ? [] : ['X-Unknown-Parameters'];
    return [
      name,
      {
        description: `${description} Code: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: headerReferences(['X-Request-Id', 'Link', ...ofOperation, ...headers]),
        content: { 'application/json': { schema, example } },
      },
    ];
  });
  return Object.fromEntries(answers);
}

export function headerReferences(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
