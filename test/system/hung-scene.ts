import { setTimeout as delay } from 'node:timers/promises';
import { type TestContext, vi } from 'vitest';
import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { type OwnMongod, startMongod } from '../support/mongod/own-mongod.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { issueEnterpriseKey } from './delivery-service-fixture.ts';

interface Answer {
  readonly route: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

const ADDRESS = `0x${'1'.repeat(40)}`;

/** A mongod that a test can make hang, and a service on it; each test has its own, so that several run concurrently. */
export class HungScene {
  readonly mongod: OwnMongod;
  readonly key: string;
  #service: ServiceProcess | null = null;
  #address = '';

  private constructor(mongod: OwnMongod, key: string) {
    this.mongod = mongod;
    this.key = key;
  }

  static async open({ onTestFinished }: TestContext): Promise<HungScene> {
    const mongod = await startMongod();
    onTestFinished(mongod.stop);
    const scene = new HungScene(mongod, await issueKey(mongod.uri));
    onTestFinished(async () => void (await scene.#service?.end('SIGKILL')));
    return scene;
  }

  get address(): string {
    return this.#address;
  }

  start(env: Readonly<Record<string, string>>): ServiceProcess {
    this.#service = startService({ DATABASE_URL: this.mongod.uri, ...env });
    return this.#service;
  }

  async startListening(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = this.start(env);
    this.#address = String((await service.logged('listening'))['address']);
    return service;
  }

  async ask(route: string, body?: object): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    const startedAt = performance.now();
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.#address}${path}`, { method, headers, ...json });
    await response.arrayBuffer();
    const { status } = response;
    return {
      route,
      status,
      retryAfter: response.headers.get('retry-after'),
      ms: performance.now() - startedAt,
    };
  }

  /** Every route that can be read, and some that write. */
  async askAll(): Promise<readonly Answer[]> {
    const document = (await (await fetch(`${this.#address}/api/v1/openapi.json`)).json()) as ApiDocument;
    const reads = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method === 'get')
        .map(
          () =>
            `GET ${path
              .replace('{month}', '2026-01')
              .replace('{address}', ADDRESS)
              .replace(/\{\w+\}/, '1')}`,
        ),
    );
    if (reads.length <= 10) throw new Error(`the API document has ${reads.length} routes to read alone`);
    const writes: [string, object?][] = [
      ['POST /api/v1/presets', { name: 'mine', filters: { side: 'BUY' } }],
      ['DELETE /api/v1/presets/pre_a'],
      ['POST /api/v1/webhooks', { url: 'https://example.com/hook' }],
    ];
    return Promise.all([
      ...reads.map((route) => this.ask(route)),
      ...writes.map(([route, body]) => this.ask(route, body)),
    ]);
  }

  /** Resolves once calls that need the database were refused, and others that were begun afterwards as well. */
  async refusedTwice(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      const refused = (await this.askAll()).filter(({ status }) => status === 503);
      if (refused.length === 0) throw new Error('the database answers');
    }
  }

  /** Asks until nothing is refused any more, for at most 15 s. */
  async recovered(): Promise<void> {
    const until = performance.now() + 15_000;
    for (;;) {
      const refused = (await this.askAll()).filter(({ status }) => status >= 500);
      if (refused.length === 0) return;
      if (performance.now() > until) throw new Error(`still refused: ${JSON.stringify(refused)}`);
      await delay(250);
    }
  }

  /** Until every role has begun: its sign of life comes last. */
  async begun(): Promise<void> {
    const database = await openDatabase(this.mongod.uri);
    try {
      await vi.waitFor(async () => {
        if ((await database.heartbeats.list()).length !== 1) throw new Error('no sign of life');
      }, 20_000);
    } finally {
      await database.close();
    }
  }

  async ledger() {
    const database = await openDatabase(this.mongod.uri);
    try {
      return (await database.alerts.after(0, 100_000)).map(({ id, key }) => [id, key]);
    } finally {
      await database.close();
    }
  }
}

export async function issueKey(url: string): Promise<string> {
  const database = await openDatabase(url);
  const { secret } = await issueEnterpriseKey(database);
  await database.close();
  return secret;
}
