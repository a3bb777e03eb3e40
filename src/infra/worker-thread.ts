import { once } from 'node:events';
import { parentPort, type Transferable, Worker } from 'node:worker_threads';

/** Reply of a thread to a request. */
type Reply<Answer> = { readonly answer: Answer } | { readonly error: string };

/**
 * A thread that answers requests, one at a time. It is started by the first one and stays, with what it keeps in memory; one
 * that failed is replaced by the next request. It does not keep the process alive while it is idle.
 */
export class WorkerThread<Request, Answer> {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #name: string;
  #worker: Worker | null = null;

  /** `file`: calls `answerRequests`. `data`: its `workerData`. `name`: for errors, `the thread that …`. */
  constructor(file: URL, { name, data = null }: { readonly name: string; readonly data?: unknown }) {
    this.#file = file;
    this.#data = data;
    this.#name = name;
  }

  /** Must not be called again before it ends. Throws what the thread met; `signal` ends the thread. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    try {
      worker.postMessage(request);
      const ended = new AbortController();
      worker.once('exit', () => ended.abort(new Error(`${this.#name} has stopped`)));
      const either = AbortSignal.any([signal, ended.signal]);
      const [reply] = (await once(worker, 'message', { signal: either })) as [Reply<Answer>];
      if ('error' in reply) throw new Error(reply.error);
      return reply.answer;
    } catch (error) {
      // The next request starts another one, which begins with nothing.
      await this.close();
      throw error;
    } finally {
      worker.unref();
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const started = new Worker(this.#file, { workerData: this.#data });
    // A request gets the error from `once`; an idle thread that fails is replaced by the next request.
    started.on('error', () => {});
    started.on('exit', () => {
      if (this.#worker === started) this.#worker = null;
    });
    return started;
  }
}

/** Answers the requests to this thread. `transfer`: what of an answer is moved instead of copied. */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Promise<Answer>,
  transfer: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  parentPort?.on('message', async (request: Request) => {
    try {
      const made = await answer(request);
      parentPort?.postMessage({ answer: made } satisfies Reply<Answer>, transfer(made));
    } catch (error) {
      parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
  });
}
