import type { ApiDocument, Operation } from './openapi-types.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function endpointsOf(paths: ApiDocument['paths']): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The page of the reference with the operations of a tag. */
export function tagPath(tag: string): string {
  return `/docs/${tag.toLowerCase()}`;
}
