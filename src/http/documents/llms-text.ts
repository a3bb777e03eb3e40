import type { ApiDocument, Operation } from './openapi-types.ts';

/** The document in the form of llmstxt.org, for programs that read. */
export function llmsText({ info, tags, paths }: ApiDocument): string {
  const [about = '', ...sections] = info.description.split(/\n\n(?=## )/);
  const [summary = '', ...more] = about.split('\n\n');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const endpoints = tags.flatMap(({ name }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ method, path, operation }) => `- ${link(name, method, path)}: ${inShort(operation)}`);
    return lines.length === 0 ? [] : [`## ${name}\n\n${lines.join('\n')}`];
  });
  const documents = [
    '- [OpenAPI document](/api/v1/openapi.json): every parameter, field, example and error',
    '- [Interactive page](/docs): the same to read and to try',
  ];
  const parts = [
    `# ${info.title}`,
    `> ${summary}`,
    `${more.join('\n\n')} Version ${info.version}; \`{base_url}\` is this host with \`/api/v1\`.`,
    ...sections.map((section) => section.replace('## ', '### ')).map(asPlain),
    ...endpoints,
    `## Reference\n\n${documents.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Headings belong to lists of links alone (llmstxt.org). */
function asPlain(section: string): string {
  return section.replace(
    /^### (.+)\n\n(\|)?/,
    (_all, title, table = '') => `**${title}.**${table === '' ? ' ' : '\n\n|'}`,
  );
}

/** Where the interactive page shows it. */
function link(tag: string, method: string, path: string): string {
  const anchor = `tag/${tag.toLowerCase()}/${method.toUpperCase()}${path}`;
  return `[${method.toUpperCase()} ${path}](/docs#${anchor})`;
}

function inShort({ summary = '', description = '', parameters = [], security }: Operation): string {
  const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => `\`${name}\``);
  const query = names.length === 0 ? '' : ` Query: ${names.join(', ')}.`;
  return `${summary}. ${description}${query}${security?.length === 0 ? ' No key.' : ''}`;
}
