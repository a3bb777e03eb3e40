import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import type { Answer, Operation } from '../../src/http/documents/openapi-types.ts';

export interface CheckedAnswer {
  readonly method: string;
  /** As it was asked for, with or without its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

const BASE = 'api';

/**
 * Says what is wrong with an answer by the document that describes it; null when nothing is. An answer whose status
 * is not named for its operation, or that belongs to none, must be a refusal in the shared form.
 */
export function createOpenapiChecker(document: ApiDocument): (answer: CheckedAnswer) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS; what it exports as default is the function.
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: BASE, ...withClosedSchemas(document) } as object);
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `${BASE}#${pointer}` });
    validators.set(pointer, known);
    return known;
  };

  return ({ method, path, status, contentType, body }) => {
    const found = operationOf(document, method, path);
    const at = pointerOf(found, status);
    if (at === null) return `${status} is not documented for ${method} ${path}`;
    const answer = resolved(document, at);
    const types = Object.keys(answer.content ?? {});
    if (types.length === 0) return body === '' ? null : `${status} has a body`;
    const type = types.find((name) => contentType?.startsWith(name));
    if (type === undefined) return `${status} is ${contentType}, not ${types.join(' or ')}`;
    const validate = validatorAt(`${resolvedPointer(document, at)}/content/${escaped(type)}/schema`);
    const value = /json$/.test(type) ? parsed(body) : body;
    if (value === undefined) return `${status} is no JSON: ${body.slice(0, 100)}`;
    return validate(value) ? null : `${status} does not fit: ${ajv.errorsText(validate.errors)}`;
  };
}

/** Clients accept fields that the document does not have. The service sends none. */
function withClosedSchemas(document: ApiDocument): ApiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isOpen = schema['properties'] !== undefined && schema['additionalProperties'] === undefined;
    return [name, isOpen ? { ...schema, additionalProperties: false } : schema];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

interface Found {
  readonly operation: Operation;
  readonly pointer: string;
}

/** The operation that answers a request; null for one of none. */
function operationOf({ paths }: ApiDocument, method: string, path: string): Found | null {
  const given = segments(path);
  const name = method.toLowerCase();
  const candidates = Object.keys(paths)
    .filter((pattern) => fits(segments(pattern), given))
    .toSorted((a, b) => a.split('{').length - b.split('{').length);
  const [pattern] = candidates;
  const operation = pattern === undefined ? undefined : paths[pattern]?.[name];
  if (pattern === undefined || operation === undefined) return null;
  return { operation, pointer: `/paths/${escaped(pattern)}/${name}` };
}

function segments(path: string): string[] {
  return (path.split('?', 1)[0] ?? '').replace(/\/$/, '').split('/');
}

function fits(pattern: readonly string[], given: readonly string[]): boolean {
  return (
    pattern.length === given.length && pattern.every((part, index) => isSegment(part, given[index] ?? ''))
  );
}

function isSegment(part: string, given: string): boolean {
  return part.startsWith('{') || part === given;
}

function pointerOf(found: Found | null, status: number): string | null {
  if (found?.operation.responses[String(status)] !== undefined) {
    return `${found.pointer}/responses/${status}`;
  }
  return status < 400 ? null : '/components/responses/Refused';
}

function resolvedPointer(document: ApiDocument, pointer: string): string {
  return (valueAt(document, pointer) as Answer).$ref?.slice(1) ?? pointer;
}

function resolved(document: ApiDocument, pointer: string): Answer {
  return valueAt(document, resolvedPointer(document, pointer)) as Answer;
}

function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>(
      (value, part) => (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
