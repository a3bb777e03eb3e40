import type { Kind } from './collection.ts';

export interface StoredField {
  /** In a row and in MongoDB's document: `keyId`, `trial.endsAt`. */
  readonly path: string;
  readonly name: string;
  /** The field of the embedded object `name`; null when this is no such field. */
  readonly inner: string | null;
  readonly column: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
}

export function storedFields({ fields }: { readonly fields: object }): readonly StoredField[] {
  const field = (name: string, inner: string | null, type: string): StoredField => {
    const path = inner === null ? name : `${name}.${inner}`;
    const isNullable = inner !== null || type.endsWith('?');
    return {
      ...{ path, name, inner, isNullable },
      column: snakeCase(path),
      kind: type.replace('?', '') as Kind,
    };
  };
  return Object.entries(fields as Readonly<Record<string, string | object>>).flatMap(([name, type]) =>
    typeof type === 'string'
      ? [field(name, null, type)]
      : Object.entries(type).map(([inner, each]) => field(name, inner, each)),
  );
}

function snakeCase(path: string): string {
  return path.replace('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
