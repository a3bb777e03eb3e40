import type { ApiDocument, Operation } from '../../http/documents/openapi-types.ts';
import { chapterPath, REFERENCE_PATH } from '../../http/documents/reference.ts';
import { namesIn, type SchemaPlaces, type Schemas } from './fields.ts';
import type { Endpoint } from './request-examples.ts';

/** The operations of a tag, on a page of its own. */
export interface Chapter {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly calls: readonly Endpoint[];
  /** Requests that the service sends. */
  readonly deliveries: readonly Operation[];
  /** The schemas that are first named here. */
  readonly schemas: Schemas;
}

export interface Reference extends SchemaPlaces {
  readonly chapters: readonly Chapter[];
  /** Schemas of refusals, which every operation has: the overview shows them. */
  readonly sharedSchemas: Schemas;
}

export function endpointsOf({ paths }: Pick<ApiDocument, 'paths'>): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The document by tag, as its pages have it. */
export function referenceOf({ tags, paths, webhooks, components }: ApiDocument): Reference {
  const calls = endpointsOf({ paths });
  const deliveries = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  const taken = calls.flatMap(({ operation }) => {
    const [name] = namesIn(operation.requestBody);
    return name === undefined ? [] : [[name, operation.operationId] as const];
  });
  const bodies = new Map(taken.toReversed());
  const shown = new Set<string>();
  const newSchemas = (value: unknown): Schemas =>
    Object.fromEntries(
      namesIn(value).flatMap((name) => {
        const schema = components.schemas[name];
        if (schema === undefined || shown.has(name)) return [];
        shown.add(name);
        return [[name, schema], ...Object.entries(newSchemas(schema))];
      }),
    );
  const sharedSchemas = newSchemas(components.responses);
  const chapters = tags.map(({ name, description }) => {
    const isOfTag = (operation: Operation) => operation.tags?.includes(name) === true;
    const own = {
      calls: calls.filter(({ operation }) => isOfTag(operation)),
      deliveries: deliveries.filter(isOfTag),
    };
    return { name, path: chapterPath(name), description, ...own, schemas: newSchemas(own) };
  });
  const pages = [{ path: REFERENCE_PATH, schemas: sharedSchemas }, ...chapters].flatMap(({ path, schemas }) =>
    Object.keys(schemas).map((name) => [name, path] as const),
  );
  return { sharedSchemas, chapters, pages: new Map(pages), bodies };
}
