import type { Statement } from './statement-store.ts';

/**
 * Whether a wallet's address is left out of texts for people: the last `hide` or `unhide` among its statements, oldest
 * first, is `hide`. The API and the log name it all the same.
 */
export function isHidden(statements: readonly Pick<Statement, 'kind'>[]): boolean {
  return statements.findLast(({ kind }) => kind === 'hide' || kind === 'unhide')?.kind === 'hide';
}
