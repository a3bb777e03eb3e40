import type { ApiDocument, JsonSchema, Operation } from './openapi-types.ts';

const PREFIX = '#/components/schemas/';

interface RequestBody {
  readonly content: Record<string, { schema: JsonSchema }>;
}

/**
 * Gives each inline request body the name of its operation: `createPreset` takes a `CreatePreset`. Operations with equal
 * bodies share the name of the first.
 */
export function nameRequestBodies({ paths, components }: ApiDocument): void {
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
