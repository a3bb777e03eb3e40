import type { Operation, Parameter } from '../../http/documents/openapi-types.ts';

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type RequestExamples = Readonly<Record<(typeof LANGUAGES)[number], string>>;

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Optional parameters that an example has, the first two of them: what a first request is likely to want. */
const USUAL = ['period', 'category', 'min_signal', 'limit', 'page_size', 'expand'];
const SHOWN_MAX = 2;

interface Call extends Endpoint {
  readonly publicUrl: string;
  readonly needsKey: boolean;
  readonly values: readonly Given[];
  readonly query: readonly Given[];
  /** Undefined without one. */
  readonly body: unknown;
}

type Given = readonly [name: string, value: unknown];

/** Programs that send one request, each to be run as it is with the key in the environment. The second and third use our clients. */
export function requestExamples(endpoint: Endpoint, publicUrl: string): RequestExamples {
  const { parameters = [], requestBody, security } = endpoint.operation;
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
  const shown = USUAL.flatMap((name) => parameters.filter((each) => each.name === name)).slice(0, SHOWN_MAX);
  const given = (place: string) =>
    parameters
      .filter((each) => each.in === place && (each.required === true || shown.includes(each)))
      .map((each): Given => [each.name, exampleOf(each)]);
  const call: Call = {
    ...endpoint,
    publicUrl,
    needsKey: security?.length !== 0,
    values: given('path'),
    query: given('query'),
    body: content?.['application/json']?.example,
  };
  return { curl: curlOf(call), TypeScript: typescriptOf(call), Python: pythonOf(call) };
}

export function exampleOf({ example, examples }: Parameter): unknown {
  return example ?? examples?.['example']?.value;
}

function curlOf({ method, path, publicUrl, needsKey, values, query, body }: Call): string {
  const filled = values.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]));
  const json = JSON.stringify(body, null, 2)?.replaceAll("'", String.raw`'\''`);
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${publicUrl}${filled}${search.size > 0 ? `?${search}` : ''}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $TIPOFF_API_KEY"'] : []),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ].join(' \\\n  ');
}

function typescriptOf({ operation, publicUrl, needsKey, values, query, body }: Call): string {
  const input = [...values, ...query, ...(body === undefined ? [] : [['body', body] as const])];
  const passed = input.length === 0 ? '' : typescriptLiteral(Object.fromEntries(input));
  const key = needsKey ? ', apiKey: process.env.TIPOFF_API_KEY' : '';
  return `import { createTipoff } from 'tipoff-client';

const tipoff = createTipoff({ url: '${publicUrl}'${key} });
console.log(await tipoff.${operation.operationId}(${passed}));`;
}

function pythonOf({ operation, publicUrl, needsKey, values, query, body }: Call): string {
  const passed = [
    ...[...values.map(([, value]) => value), ...(body === undefined ? [] : [body])].map((value) =>
      pythonLiteral(value, '    '),
    ),
    ...query.map(([name, value]) => `${pythonName(name)}=${pythonLiteral(value)}`),
  ];
  const [imported, key] = needsKey ? ['import os\n\n', ', os.environ["TIPOFF_API_KEY"]'] : ['', ''];
  return `${imported}from tipoff import Client

with Client("${publicUrl}"${key}) as tipoff:
    print(tipoff.${snakeCase(operation.operationId ?? '')}(${passed.join(', ')}))`;
}

/** JSON as TypeScript is usually written. */
function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return inLines(
      ['[', ']'],
      value.map((each) => typescriptLiteral(each, inner)),
      indent,
    );
  const members = Object.entries(value).map(([name, each]) => `${name}: ${typescriptLiteral(each, inner)}`);
  return inLines(['{ ', ' }'], members, indent);
}

function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return inLines(
      ['[', ']'],
      value.map((each) => pythonLiteral(each, inner)),
      indent,
      4,
    );
  const members = Object.entries(value).map(([name, each]) => `"${name}": ${pythonLiteral(each, inner)}`);
  return inLines(['{', '}'], members, indent, 4);
}

const LINE_MAX = 48;

function inLines(
  [open, close]: readonly [string, string],
  parts: readonly string[],
  indent: string,
  step = 2,
): string {
  const line = open + parts.join(', ') + close;
  if (line.length <= LINE_MAX) return line;
  const before = `\n${indent}${' '.repeat(step)}`;
  return `${open.trim()}${before}${parts.join(`,${before}`)},\n${indent}${close.trim()}`;
}

const KEYWORDS = new Set('from import in is not or and class def global pass'.split(' '));

/** What a parameter is called in the client for Python. */
export function pythonName(parameter: string): string {
  const name = parameter.toLowerCase().replaceAll(/\W+/g, '_');
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** What an operation is called there. */
export function snakeCase(id: string): string {
  return id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
