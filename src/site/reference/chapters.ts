import type { ApiDocument, Operation } from '../../http/documents/openapi-types.ts';
import { chapterPath } from '../../http/documents/reference.ts';
import type { Endpoint } from './curl-example.ts';
import { namesIn, type Schemas } from './fields.ts';

/** The operations of a tag, on a page of its own. */
export interface Chapter {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly calls: readonly Endpoint[];
  /** Requests that the service sends. */
  readonly deliveries: readonly Operation[];
}

export function endpointsOf({ paths }: Pick<ApiDocument, 'paths'>): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The document by tag, as its pages have it. */
export function chaptersOf({ tags, paths, webhooks }: ApiDocument): readonly Chapter[] {
  const calls = endpointsOf({ paths });
  const deliveries = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  return tags.map(({ name, description }) => {
    const isOfTag = (operation: Operation) => operation.tags?.includes(name) === true;
    return {
      name,
      path: chapterPath(name),
      description,
      calls: calls.filter(({ operation }) => isOfTag(operation)),
      deliveries: deliveries.filter(isOfTag),
    };
  });
}

/** The schemas that a value names, with those that they name, in the order they are met. */
export function schemasIn(value: unknown, schemas: Schemas): Schemas {
  const names = new Set(namesIn(value));
  for (const name of names) for (const inner of namesIn(schemas[name])) names.add(inner);
  const found = [...names].flatMap((name) => {
    const schema = schemas[name];
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return Object.fromEntries(found);
}
