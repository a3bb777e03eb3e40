import { readImports } from '../code/imports.ts';

const CODE = ['src', 'bots', 'jobs', 'scripts', 'examples', 'test'];
/** Tests of one part each; those elsewhere are about the service as a whole. */
const PARTS = /^test\/(?:(?:core|infra|http|site|bots|jobs|cli|config)\/.*|[^/]+)\.test\.ts$/;
const HEAVY = ['node:child_process', 'node:sqlite', 'mongodb', 'mongoose'];

/** The test files of the unit lane: those whose imports, followed to the end, lead to no database and no process. */
export function unitTests(): string[] {
  const imports = readImports(CODE);
  return [...imports.keys()].filter((file) => PARTS.test(file) && !isHeavy(file));

  function isHeavy(test: string): boolean {
    const reached = new Set([test]);
    for (const file of reached) {
      for (const { target, isType } of imports.get(file) ?? []) if (!isType) reached.add(target);
    }
    return HEAVY.some((target) => reached.has(target));
  }
}
