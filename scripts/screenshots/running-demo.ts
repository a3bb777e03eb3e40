import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const LOOK_EVERY_MS = 250;
const START_LIMIT_MS = 180_000;

export class RunningDemo implements AsyncDisposable {
  readonly #process: ChildProcess;
  #output = '';

  private constructor() {
    const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined };
    this.#process = spawn(process.execPath, ['src/cli/tipoff.ts', 'demo', '--port', '0'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  static async start(printed: RegExp): Promise<RunningDemo> {
    const demo = new RunningDemo();
    const until = Date.now() + START_LIMIT_MS;
    while (!(printed.test(stripVTControlCharacters(demo.output)) && (await demo.#hasRecord()))) {
      if (Date.now() > until || demo.#process.exitCode !== null)
        throw new Error(`the demo is not ready in time:\n${demo.output}`);
      await sleep(LOOK_EVERY_MS);
    }
    return demo;
  }

  get output(): string {
    return this.#output;
  }

  get entries(): readonly string[] {
    return this.#output.split(/\n(?=\d\d-\d\d \d\d:\d\d:\d\d )/).slice(1);
  }

  get origin(): string {
    return this.#find(/^Page +(\S+)\/$/m);
  }

  get proKey(): string {
    return this.#find(/^pro key +(\S+)$/m);
  }

  async ask<Answer>(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.proKey}` };
    const answer = await fetch(`${this.origin}/api/v1${path}`, { headers });
    return (await answer.json()) as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGINT');
    await once(this.#process, 'close');
  }

  async #hasRecord(): Promise<boolean> {
    const answer = await fetch(`${this.origin}/record.json`);
    return /one night/.test(await answer.text());
  }

  #find(pattern: RegExp): string {
    return pattern.exec(stripVTControlCharacters(this.#output))?.[1] ?? '';
  }
}
