import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

interface ThreadOptions {
  readonly name: string;
  readonly data?: unknown;
  /** Of its heap. A thread that exceeds one ends, with an error. Default: those of the process. */
  readonly limits?: ResourceLimits;
  /** Hears what the thread tells without being asked (`tellMain`). */
  readonly onTold?: (text: string) => void;
}

interface Call<Request> {
  readonly id: number;
  readonly request: Request;
}

interface Told {
  readonly told: string;
}

type Reply<Answer> = { readonly id: number } & (
  | { readonly answer: Answer }
  | { readonly error: string; readonly errcode: unknown }
);

type Caller<Answer> = Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>;

/** A thread that answers requests, started by the first; one that failed is replaced by the next. */
export class WorkerThread<Request, Answer> {
  readonly #file: URL;
  readonly #options: ThreadOptions;
  readonly #callers = new Map<number, Caller<Answer>>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(file: URL, options: ThreadOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Throws what the thread met. `signal` ends the thread, with all that it was asked. */
  async ask(request: Request, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#callers.set(id, { resolve, reject });
    const end = () => void this.close(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    this.#worker.ref();
    try {
      this.#worker.postMessage({ id, request } satisfies Call<Request>);
      return await promise;
    } catch (error) {
      this.#callers.delete(id);
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  /** Requests without an answer fail with the reason. */
  async close(reason: unknown = this.#ended()): Promise<void> {
    const worker = this.#worker;
    if (worker !== null) this.#stopped(worker, reason);
    await worker?.terminate();
  }

  #start(): Worker {
    const { data = null, limits = {} } = this.#options;
    const started = new Worker(this.#file, { workerData: data, resourceLimits: limits });
    started.unref();
    started.on('message', (message: Reply<Answer> | Told) => {
      if ('told' in message) this.#options.onTold?.(message.told);
      else this.#settle(started, message);
    });
    started.on('error', (error) => this.#stopped(started, error));
    started.on('exit', () => this.#stopped(started, this.#ended()));
    return started;
  }

  #ended(): Error {
    return new Error(`${this.#options.name} has stopped`);
  }

  #settle(from: Worker, reply: Reply<Answer>): void {
    const caller = this.#callers.get(reply.id);
    this.#callers.delete(reply.id);
    if (this.#callers.size === 0) from.unref();
    if ('answer' in reply) caller?.resolve(reply.answer);
    else caller?.reject(Object.assign(new Error(reply.error), { errcode: reply.errcode }));
  }

  #stopped(which: Worker, reason: unknown): void {
    if (this.#worker !== which) return;
    this.#worker = null;
    const callers = [...this.#callers.values()];
    this.#callers.clear();
    for (const { reject } of callers) reject(reason);
  }
}

/** From a thread: tells the one that started it. */
export function tellMain(told: string): void {
  parentPort?.postMessage({ told } satisfies Told);
}

/** Answers the requests to this thread. `transfer`: what of an answer is moved instead of copied. */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Promise<Answer>,
  transfer: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  parentPort?.on('message', async ({ id, request }: Call<Request>) => {
    try {
      const made = await answer(request);
      parentPort?.postMessage({ id, answer: made } satisfies Reply<Answer>, transfer(made));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
      parentPort?.postMessage({ id, error: message, errcode } satisfies Reply<Answer>);
    }
  });
}
