import { type JsonSchema, resolved, type Schemas } from '../schemas/json-schema.ts';
import { ALERT_EXAMPLE } from '../views/examples.ts';
import type { ApiDocument } from './describe-api.ts';
import { type Endpoint, taggedEndpoints, tagPath } from './endpoints.ts';

const DOCUMENTS = `## Reference

- [OpenAPI document](/api/v1/openapi.json): every parameter, field, example and error
- [AsyncAPI document](/api/v1/asyncapi.json): the stream: its query, every frame, the close codes
- [Reference](/docs): the same for human readers, with examples in curl
- [Errors](/docs/errors): every error code with its meaning and remedy`;

/** The form of llmstxt.org: only lists of links have headings. */
export function llmsText({ info, tags, paths, components }: ApiDocument): string {
  const [summary = '', ...about] = info.description.replaceAll(/^## (.+)$/gm, '**$1**').split('\n\n');
  const lists = tags.map(({ name }) => {
    const own = taggedEndpoints(paths, name);
    const lines = own.map((endpoint) => lineOf(endpoint, tagPath(name), components.schemas));
    return lines.length === 0 ? '' : `## ${name}\n\n${lines.join('\n')}`;
  });
  const parts = [
    `# ${info.title}`,
    `> ${summary}`,
    ...about,
    `Version ${info.version}; \`{base_url}\` is this host with \`/api/v1\`.`,
    '**An alert.** `GET /alerts/{id}`, lists with `expand=details`, the stream and webhooks have all fields, which [the reference](/docs/alerts#Alert) explains:',
    `\`\`\`json\n${JSON.stringify(ALERT_EXAMPLE, null, 1)}\n\`\`\``,
    ...lists.filter((list) => list !== ''),
    DOCUMENTS,
  ];
  return `${parts.join('\n\n')}\n`;
}

function lineOf({ method, path, operation }: Endpoint, page: string, schemas: Schemas): string {
  const { operationId, summary, description, parameters = [], security, requestBody } = operation;
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema }) => [name, schema] as const);
  const { schema = {} } = requestBody?.content['application/json'] ?? {};
  const { properties = {} } = resolved(schema, schemas);
  const listed = (title: string, values: readonly (readonly [string, JsonSchema])[]) => {
    const names = values.map(([name, each]) => `\`${name}\`${rangeOf(resolved(each, schemas))}`);
    return names.length === 0 ? '' : ` ${title}: ${names.join(', ')}.`;
  };
  const words = `${summary}. ${description}${listed('Query', query)}${listed('Body', Object.entries(properties))}`;
  return `- [${method.toUpperCase()} ${path}](${page}#${operationId}): ${words}${security?.length === 0 ? ' No key.' : ''}`;
}

/** Such as ` (1 to 100; default 20)`. */
function rangeOf({ enum: allowed, minimum, maximum, default: usual }: JsonSchema): string {
  const parts = [
    allowed?.join(', ') ?? '',
    minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`,
    usual === undefined ? '' : `default ${usual}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}
