import { readImports } from '../code/imports.ts';

const CODE = ['src', 'bots', 'jobs', 'scripts', 'examples', 'test'];
/** Tests that need no service and no image. */
const TESTS = /^test\/(?:core|infra|http|bots|jobs|cli|wiring)\/.*\.test\.ts$/;

const imports = readImports(CODE);

/** The tests whose imports, followed to the end, lead to the file; those that need the fewest steps first. */
export function testsReaching(file: string): readonly string[] {
  return [...imports.keys()]
    .filter((test) => TESTS.test(test))
    .map((test) => ({ test, steps: stepsTo(test, file) }))
    .filter(({ steps }) => steps !== null)
    .toSorted((a, b) => (a.steps ?? 0) - (b.steps ?? 0))
    .map(({ test }) => test);
}

export function testsOf(area: string): readonly string[] {
  return [...imports.keys()].filter(
    (test) => test.startsWith(`test/core/${area}/`) && test.endsWith('.test.ts'),
  );
}

function stepsTo(from: string, to: string): number | null {
  const steps = new Map([[from, 0]]);
  for (const [file, count] of steps) {
    if (file === to) return count;
    for (const { target, isType } of imports.get(file) ?? [])
      if (!isType && !steps.has(target)) steps.set(target, count + 1);
  }
  return null;
}
