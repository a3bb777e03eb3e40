import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/g;

export function filesBelow(folder: string, root = ROOT, pattern = /\.ts$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

interface Import {
  readonly target: string;
  readonly isType: boolean;
}

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, type, specifier, dynamic]) => {
    const name = specifier ?? (dynamic as string);
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
    return { target, isType: type !== undefined };
  });
}

export function readImports(folders: readonly string[]): ReadonlyMap<string, readonly Import[]> {
  return new Map(
    folders
      .flatMap((folder) => filesBelow(folder))
      .map((file) => [file, importsOf(file, readFileSync(join(ROOT, file), 'utf8'))]),
  );
}
