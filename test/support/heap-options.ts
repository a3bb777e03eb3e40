import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

/** The options of Node with which `npm start` bounds the heap of the service. */
export const HEAP_OPTIONS: readonly string[] = scripts.start.match(/--max-\S+/g) ?? [];
