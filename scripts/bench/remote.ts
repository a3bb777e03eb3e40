import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Call {
  readonly name: string;
  readonly args: readonly never[];
}

export function serve(functions: Functions): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ name, args }: Call) => {
    process.send?.({ result: await functions[name]?.(...args) });
  });
}

/** Counts what arrives, and tells when so much has. */
export class Arrivals {
  #arrived = 0;
  #wanted: { readonly amount: number; readonly tell: (at: number) => void } | null = null;

  add(amount: number): void {
    this.#arrived += amount;
    this.#look();
  }

  reset(): void {
    this.#arrived = 0;
  }

  /** Resolves when so much came since the last call, with that moment (ms since the epoch). */
  expect(amount: number): Promise<number> {
    return new Promise((tell) => {
      this.#wanted = { amount, tell };
      this.#look();
    });
  }

  #look(): void {
    if (this.#wanted === null || this.#arrived < this.#wanted.amount) return;
    const { amount, tell } = this.#wanted;
    this.#arrived -= amount;
    this.#wanted = null;
    tell(performance.timeOrigin + performance.now());
  }
}

export class Remote<Served extends Functions> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;

  constructor(file: URL, options?: ForkOptions) {
    this.#child = fork(file, options);
    this.#closed = once(this.#child, 'close');
  }

  /** One call at a time. Rejects when the process ends before it answers. */
  async call<Name extends keyof Served & string>(
    name: Name,
    ...args: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>> {
    const answered = once(this.#child, 'message');
    const ended = this.#closed.then(([code]) => {
      throw new Error(`a process of the bench ended with code ${code}`);
    });
    this.#child.send({ name, args });
    const [{ result }] = await Promise.race([answered, ended]);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
