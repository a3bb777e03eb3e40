import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Declaration, Identified } from '../../../core/base/documents/documents.ts';
import { SchemaMismatch } from '../schema-version.ts';

/** The version of a kind of document, of 31 bits: another schema or other indexes have another. */
export function kindVersion<T extends Identified>({ kind, schema, indexes }: Declaration<T>): number {
  // A refinement has no JSON form, and changes no document.
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' });
  const text = JSON.stringify({ kind, shape, indexes });
  return createHash('sha256').update(text).digest().readUInt32BE() >>> 1;
}

/** Throws unless the documents of a kind are those of this build. */
export function requireKind<T extends Identified>(declaration: Declaration<T>, found: number): void {
  const expected = kindVersion(declaration);
  if (found !== expected) throw new SchemaMismatch(found, { kind: declaration.kind, expected });
}
