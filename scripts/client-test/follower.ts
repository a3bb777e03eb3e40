import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { ClientPrograms } from './programs.ts';

/** A line of follow.mjs or follow.py. */
interface Line {
  readonly id?: number;
  readonly isWhole?: boolean;
  readonly state?: string;
  readonly ended?: number;
  readonly reason?: string;
}

/** A program that follows the stream with one of the clients. */
export class Follower {
  readonly name: string;
  /** The ids of the alerts in the order in which they came. */
  readonly ids: number[] = [];
  /** Alerts without all of their fields. */
  incomplete = 0;
  connections = 0;
  /** Gaps that were filled from the archive. */
  fills = 0;
  /** Close code and reason of the end of the stream. */
  end: string | null = null;
  readonly #child: ReturnType<ClientPrograms['start']>;
  readonly #ended: Promise<string>;

  private constructor(name: string, child: ReturnType<ClientPrograms['start']>) {
    this.name = name;
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Line));
    this.#ended = Promise.all([text(child.stderr), once(child, 'close')]).then(([errors]) => errors.trim());
  }

  static async start(
    programs: ClientPrograms,
    { url, apiKey }: { readonly url: string; readonly apiKey: string },
  ): Promise<Follower> {
    const file = `follow.${programs.extension}`;
    await copyFile(join(import.meta.dirname, file), join(programs.folder, file));
    return new Follower(programs.name, programs.start(file, [url, '0'], { TIPOFF_API_KEY: apiKey }));
  }

  /** Throws with its output if it has ended with an error. */
  check(): void {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`the ${this.name} client has ended with ${exitCode ?? signalCode}`);
  }

  /** Resolves with its errors when it has ended. */
  ended(): Promise<string> {
    return this.#ended;
  }

  stop(): Promise<string> {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }

  #take({ id, isWhole, state, ended, reason }: Line): void {
    if (id !== undefined) this.ids.push(id);
    if (isWhole === false) this.incomplete += 1;
    if (state === 'connected') this.connections += 1;
    if (state === 'filling') this.fills += 1;
    if (ended !== undefined) this.end = `${ended} ${reason}`;
  }
}
