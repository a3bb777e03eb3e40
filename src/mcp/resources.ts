import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResourceNotFoundError } from '@modelcontextprotocol/server';

/** Of the repository; of the build, where `scripts/copy-assets.ts` puts them. */
const FOLDER = join(import.meta.dirname, '../../docs');

const MARKDOWN = 'text/markdown';

const TEXTS = [
  {
    file: 'reading-alerts.md',
    title: 'How to read an alert',
    description: 'What each field of an alert means, and what a score does and does not say.',
  },
  {
    file: 'method.md',
    title: 'Method of the record',
    description: 'How it is measured what the alerts were worth.',
  },
  { file: 'glossary.md', title: 'Glossary', description: 'The words of Tipoff and what they mean.' },
];

const uriOf = (file: string) => `tipoff://${file.replace('.md', '')}`;

export const RESOURCES = TEXTS.map(({ file, ...about }) => ({
  uri: uriOf(file),
  name: file,
  mimeType: MARKDOWN,
  ...about,
}));

export async function readResource(uri: string) {
  const found = TEXTS.find(({ file }) => uriOf(file) === uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: MARKDOWN, text: await readFile(join(FOLDER, found.file), 'utf8') }] };
}
