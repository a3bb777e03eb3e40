import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { filesBelow, ROOT } from './imports.ts';
import { PROSE_RULES, QUOTING_FILES } from './prose-rules.ts';

/** Parts of documents that a script writes; they are checked where their text comes from. */
const GENERATED = /<!-- (shown|settings) -->[\s\S]*?<!-- \/\1 -->/g;
const FENCED = /^( *)```[\s\S]*?^\1```/gm;
const INLINE_CODE = /`[^`\n]*`/g;

/** A pattern in the prose of a file. */
export interface ProseHit {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly rule: string;
  readonly found: string;
  readonly instead: string;
}

/** The hits in all documents and programs of these folders and files. */
export function proseHitsIn(paths: readonly string[]): readonly ProseHit[] {
  return paths
    .flatMap(filesOf)
    .filter((file) => !QUOTING_FILES.includes(file))
    .flatMap((file) => proseHits(file, readFileSync(join(ROOT, file), 'utf8')));
}

/**
 * The hits in one file. Of a program its comments and those of its strings that hold a space are prose, of a document all but
 * code, of any other file the lines that begin with `#`. Text in backticks is never prose, except in strings.
 */
export function proseHits(file: string, text: string): readonly ProseHit[] {
  const prose = proseOf(file, text);
  const matches = PROSE_RULES.flatMap(({ name: rule, pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ 0: found, index }) => ({ index, rule, found, instead })),
  );
  return matches
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, rule, found, instead }) => ({
      file,
      line: prose.slice(0, index).split('\n').length,
      rule,
      found: found.replaceAll(/\s+/g, ' '),
      instead,
    }));
}

/** One line: where it is, what was found, and what to write instead. */
export function proseHitText({ file, line, found, instead }: ProseHit): string {
  return `${file}:${line}: “${found}”: write ${instead}`;
}

function filesOf(path: string): readonly string[] {
  const isFolder = statSync(join(ROOT, path)).isDirectory();
  return isFolder ? filesBelow(path, ROOT, /\.(?:ts|mjs|js|py|md)$/) : [path];
}

/** The text with everything but prose blanked out, so that every line and column stays where it is. */
function proseOf(file: string, text: string): string {
  if (file.endsWith('.md'))
    return [GENERATED, FENCED, INLINE_CODE].reduce((rest, code) => rest.replaceAll(code, blank), text);
  if (/\.(?:ts|mjs|js)$/.test(file)) return proseOfProgram(file, text);
  return text.replaceAll(/^(?! *#).*$/gm, blank);
}

function proseOfProgram(file: string, text: string): string {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let prose = '';
  const keep = (start: number, end: number, shown: string) => {
    prose += blank(text.slice(prose.length, start)) + shown;
    prose += blank(text.slice(prose.length, end));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node)) {
      const [from, start, end] = [node.getFullStart(), node.getStart(tree), node.getEnd()];
      keep(from, start, commentsOf(text.slice(from, start)));
      const isProse = isText(node) && node.getText(tree).includes(' ');
      keep(start, end, isProse ? text.slice(start, end) : '');
    } else for (const child of node.getChildren(tree)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child);
  };
  visit(tree);
  return prose;
}

/** Comment marks are blanked, since they stand between two words of a pattern. */
function commentsOf(trivia: string): string {
  return trivia.replaceAll(INLINE_CODE, blank).replaceAll(/^ *(?:\/\*\*?|\*\/?|\/\/)/gm, blank);
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
