import type { Declaration, Identified, OpenDocuments } from '../../../core/base/documents/documents.ts';
import { openFeatures } from '../../../core/database.ts';

/** The kinds of documents of this build, by what its features open. */
export function declaredKinds(): readonly Declaration<Identified>[] {
  const declared = new Map<string, Declaration<Identified>>();
  openFeatures(((declaration: Declaration<Identified>) => {
    declared.set(declaration.kind, declaration);
    return {};
  }) as unknown as OpenDocuments);
  return [...declared.values()];
}
