import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { filesBelow, ROOT } from './imports.ts';
import { PROSE_RULES, QUOTING_FILES } from './prose-rules.ts';

/** Parts of documents that a script writes; they are checked where their text comes from. */
const GENERATED = /<!-- (shown|settings) -->[\s\S]*?<!-- \/\1 -->/g;
const FENCED = /^( *)```[\s\S]*?^\1```/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;

const { createSourceFile, forEachChild, JSDocParsingMode, ScriptTarget, SyntaxKind } = ts;
const LITERALS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);

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

/** A part of a text, and what is shown in its place, of the same length. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

function proseOfProgram(file: string, text: string): string {
  const literals = literalsOf(file, text);
  // With every literal blanked, nothing but a comment begins as one.
  const code = composed(text, literals, (between) => between);
  const comments = Array.from(code.matchAll(COMMENT), ({ 0: found, index: start }): Part => {
    return { start, end: start + found.length, shown: commentsOf(found) };
  });
  const strings = literals
    .map(({ start, end }) => ({ start, end, shown: text.slice(start, end) }))
    .filter(({ shown }) => !shown.startsWith('/') && shown.includes(' '));
  return composed(
    text,
    [...strings, ...comments].toSorted((one, other) => one.start - other.start),
    blank,
  );
}

/** The parts, and what `between` makes of the text between them. */
function composed(text: string, parts: readonly Part[], between: (text: string) => string): string {
  let whole = '';
  for (const { start, shown } of parts) whole += between(text.slice(whole.length, start)) + shown;
  return whole + between(text.slice(whole.length));
}

/** Strings, parts of templates and regular expressions, blanked, in their order. */
function literalsOf(file: string, text: string): readonly Part[] {
  const options = { languageVersion: ScriptTarget.Latest, jsDocParsingMode: JSDocParsingMode.ParseNone };
  const tree = createSourceFile(file, text, options);
  const literals: Part[] = [];
  const visit = (node: ts.Node): void => {
    if (LITERALS.has(node.kind)) {
      const [start, end] = [node.getStart(tree), node.getEnd()];
      literals.push({ start, end, shown: blank(text.slice(start, end)) });
    } else forEachChild(node, visit);
  };
  visit(tree);
  return literals;
}

/** Comment marks are blanked, since they stand between two words of a pattern. */
function commentsOf(trivia: string): string {
  return trivia.replaceAll(INLINE_CODE, blank).replaceAll(/^ *(?:\/\*\*?|\*\/?|\/\/)/gm, blank);
}

function blank(text: string): string {
  return text
    .split('\n')
    .map(({ length }) => ' '.repeat(length))
    .join('\n');
}
