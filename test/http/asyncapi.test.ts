import { createRequire } from 'node:module';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { describeStream } from '../../src/http/documents/describe-stream.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, startApi } from '../support/api-server.ts';
import { connectStream } from '../support/stream-client.ts';

const MISSED = 10_000;
const CLUSTER = { ...alertOf({ id: 1 }).details, wallets: ['0xa', '0xb'], clusterTotal: 9_000.5 };

async function streamDocument(): Promise<StreamDocument> {
  const { baseUrl } = await startApi();
  return (await ask(`${baseUrl}/api/v1/asyncapi.json`)).body as StreamDocument;
}

describe('the AsyncAPI document', () => {
  test('the schema of AsyncAPI 3.0.0 accepts it, and refuses it broken', async () => {
    const document = await streamDocument();
    expect(problemsOf(document)).toBeNull();
    expect(problemsOf({ ...document, channels: { alerts: { address: 7 } } })).not.toBeNull();
  });

  test('every example of a message fits its schema', async () => {
    const document = await streamDocument();
    const check = createMessageChecker(document);
    for (const [name, { examples }] of Object.entries(document.components.messages)) {
      expect.soft(examples.length, name).toBeGreaterThan(0);
      for (const { payload } of examples) expect.soft(check(payload, name), name).toBeNull();
    }
    expect(check({ type: 'gap', from: 'x' })).toMatch(/gap: /);
  });

  test('every frame that the server sends fits: greeting, gap, alert, pong, error, degraded and recovered', async () => {
    const { baseUrl, issue, append, hub } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await append(...Array.from({ length: MISSED + 1 }, (_, index) => alertOf({ id: index + 1 })));
    const { socket, received } = connectStream(baseUrl, `api_key=${secret}&since_id=0`);
    await received(MISSED + 2);
    const { components } = (await ask(`${baseUrl}/api/v1/asyncapi.json`)).body as StreamDocument;
    const { ping, jsonPing } = components.messages;
    socket.send(String(ping.examples[0]?.payload));
    socket.send(JSON.stringify(jsonPing.examples[0]?.payload));
    socket.send('hello');
    await append(alertOf({ id: MISSED + 2, type: 'cluster', details: CLUSTER }));
    await received(MISSED + 6);
    hub.degrade({ since: 0, cause: 'stalled' });
    hub.degrade({ since: 60_000, cause: 'unconfirmed' });
    await received(MISSED + 8);
    hub.recover({ since: 60_000, until: 120_000, backfilled: false });
    const frames = await received(MISSED + 9);
    const check = createMessageChecker({ components } as StreamDocument);
    expect(frames.map((frame) => check(frame)).filter((problem) => problem !== null)).toEqual([]);
    expect(new Set(frames.map(({ type }) => type))).toEqual(
      new Set(['connected', 'gap', 'alert', 'pong', 'error', 'degraded', 'recovered']),
    );
  });
});

type StreamDocument = ReturnType<typeof describeStream>;

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
function problemsOf(document: unknown): string | null {
  // The specification brings the schema of schemas along, under the name that ajv has for its own.
  const ajv = createAjv({ meta: false, validateSchema: false });
  const validate = ajv.compile(specification);
  return validate(document) ? null : ajv.errorsText(validate.errors);
}

/** Says what is wrong with a message by the document; null when nothing is. A name picks the message, otherwise the frame's type. */
function createMessageChecker(document: StreamDocument): (message: unknown, name?: string) => string | null {
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
