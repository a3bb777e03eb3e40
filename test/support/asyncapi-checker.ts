import { createRequire } from 'node:module';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { describeStream } from '../../src/http/documents/describe-stream.ts';

export type StreamDocument = ReturnType<typeof describeStream>;

const DOCUMENT = 'stream';
const require = createRequire(import.meta.url);
const specification = require('@asyncapi/specs/schemas/3.0.0.json') as object;

function createAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  // The package is CommonJS; what it exports as default is the function.
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
}

/** Says what is wrong with a document by the schema of AsyncAPI 3.0.0; null when nothing is. */
export function problemsOf(document: unknown): string | null {
  // The specification brings the schema of schemas along, under the name that ajv has for its own.
  const ajv = createAjv({ meta: false, validateSchema: false });
  const validate = ajv.compile(specification);
  return validate(document) ? null : ajv.errorsText(validate.errors);
}

/** Says what is wrong with a message by the document; null when nothing is. A name picks the message, otherwise the frame's type. */
export function createMessageChecker(
  document: StreamDocument,
): (message: unknown, name?: string) => string | null {
  const ajv = createAjv();
  ajv.addSchema({ $id: DOCUMENT, ...document } as object);
  const validators = new Map<string, ValidateFunction>(
    Object.keys(document.components.messages).map((name) => [
      name,
      ajv.compile({ $ref: `${DOCUMENT}#/components/messages/${name}/payload` }),
    ]),
  );
  return (message, name = String((message as { type?: unknown }).type)) => {
    const validate = validators.get(name);
    if (validate === undefined) return `no message ${name} is documented`;
    return validate(message) ? null : `${name}: ${ajv.errorsText(validate.errors)}`;
  };
}
