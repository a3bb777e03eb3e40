import type { FastifyInstance, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify';
import { ZodObject, type ZodType, z } from 'zod';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';

/** What new code must not use any more. Days are of UTC, `YYYY-MM-DD`. */
export interface Deprecation {
  readonly since: string;
  /** The day on which it ends, at least 12 months after `since`. Absent: it works as long as this version of the API. */
  readonly sunset?: string;
  /** What to use in its place. */
  readonly instead: string;
}

interface Deprecated extends Deprecation {
  /** Null: the whole route. */
  readonly parameter: string | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly deprecated?: Deprecation;
  }
}

const NOTICE_MS = 365 * DAY_MS;

const PARAMETERS = z.registry<Deprecation>();

/** A parameter of a query. The document marks it, and answers to requests with it have the headers. */
export function deprecatedParameter<Value extends ZodType>(value: Value, deprecation: Deprecation): Value {
  const marked = value.meta({ description: `Use ${deprecation.instead}.`, deprecated: true });
  PARAMETERS.add(marked, deprecation);
  return marked;
}

/**
 * Of every route registered after this call. Throws if a notice is too short. `chapterPath`: the page of the reference with
 * the operations of a tag.
 */
export function announceDeprecations(app: FastifyInstance, chapterPath: (tag: string) => string): void {
  app.addHook('onRoute', (route) => {
    const found = deprecatedOf(route);
    if (found.length === 0) return;
    for (const one of found) checkNotice(route.url, one);
    const own = route.config?.deprecated;
    if (own !== undefined) {
      const description = `Use ${own.instead}. ${route.schema?.description ?? ''}`.trim();
      route.schema = { ...route.schema, description, deprecated: true };
    }
    const { tags: [tag = ''] = [], operationId = '' } = route.schema ?? {};
    const address = `${chapterPath(tag)}#${operationId}`;
    route.onSend = [...[route.onSend ?? []].flat(), announce(found, address)];
  });
}

function deprecatedOf({ config, schema }: RouteOptions): Deprecated[] {
  const { querystring } = schema ?? {};
  const fields = querystring instanceof ZodObject ? Object.entries<ZodType>(querystring.shape) : [];
  const own = config?.deprecated;
  return [
    ...(own === undefined ? [] : [{ parameter: null, ...own }]),
    ...fields.flatMap(([parameter, field]) => {
      const deprecation = PARAMETERS.get(field);
      return deprecation === undefined ? [] : [{ parameter, ...deprecation }];
    }),
  ];
}

function checkNotice(path: string, { since, sunset }: Deprecated): void {
  if (sunset !== undefined && dayStart(sunset) - dayStart(since) < NOTICE_MS)
    throw new Error(`${path} would end on ${sunset}: that is less than 12 months after ${since}`);
}

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), the earliest of what the request uses. `address`: of the operation in the
 * reference, which says what to use instead.
 */
function announce(all: readonly Deprecated[], address: string): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    const used = all.filter(({ parameter }) => parameter === null || isGiven(request, parameter));
    const since = earliest(used.map((one) => one.since));
    const sunset = earliest(used.flatMap((one) => one.sunset ?? []));
    if (since !== null) {
      const link = `<${address}>; rel="deprecation"; type="text/html"`;
      const others = reply.getHeader('link');
      reply.header('link', others === undefined ? link : `${others}, ${link}`);
      reply.header('deprecation', `@${since / SECOND_MS}`);
    }
    if (sunset !== null) reply.header('sunset', new Date(sunset).toUTCString());
    done(null, payload);
  };
}

function isGiven({ query }: FastifyRequest, name: string): boolean {
  return (query as Readonly<Record<string, unknown>>)[name] !== undefined;
}

function earliest(days: readonly string[]): EpochMs | null {
  return days.length === 0 ? null : Math.min(...days.map(dayStart));
}

function dayStart(day: string): EpochMs {
  return Date.parse(`${day}T00:00:00Z`);
}
