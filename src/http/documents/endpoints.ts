import type { Operation } from './openapi-types.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export function endpointsOf(paths: Paths): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

export function taggedEndpoints(paths: Paths, tag: string): readonly Endpoint[] {
  return endpointsOf(paths).filter(({ operation }) => operation.tags?.includes(tag));
}

/** The page of the reference with the operations of a tag. */
export function tagPath(tag: string): string {
  return `/docs/${tag.toLowerCase()}`;
}
