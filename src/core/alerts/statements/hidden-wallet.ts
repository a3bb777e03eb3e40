import type { Statement } from './statement-store.ts';

/**
 * Whether a wallet's address is hidden in posts and chat: the last `hide` or `unhide` of its statements, oldest first, is `hide`.
 * The API and the log still show it.
 */
export function isHidden(statements: readonly Pick<Statement, 'kind'>[]): boolean {
  return statements.findLast(({ kind }) => kind === 'hide' || kind === 'unhide')?.kind === 'hide';
}
