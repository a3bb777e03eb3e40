import { once } from 'node:events';
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

interface ThreadOptions {
  /** For errors: `the thread that …`. */
  readonly name: string;
  /** Its `workerData`. */
  readonly data?: unknown;
  /** Of its heap. A thread that exceeds one ends, with an error. Default: those of the process. */
  readonly limits?: ResourceLimits;
}

/** Reply of a thread to a request. */
type Reply<Answer> = { readonly answer: Answer } | { readonly error: string };

/**
 * A thread that answers requests, one at a time. It is started by the first one and stays, with what it keeps in memory; one
 * that failed is replaced by the next request. It does not keep the process alive while it is idle.
 */
export class WorkerThread<Request, Answer> {
  readonly #file: URL;
  readonly #options: ThreadOptions;
  #worker: Worker | null = null;

  /** `file`: calls `answerRequests`. */
  constructor(file: URL, options: ThreadOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Must not be called again before it ends. Throws what the thread met; `signal` ends the thread. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const ended = new AbortController();
    const end = () => ended.abort(new Error(`${this.#options.name} has stopped`));
    worker.ref();
    try {
      worker.postMessage(request);
      worker.once('exit', end);
      const either = AbortSignal.any([signal, ended.signal]);
      const [reply] = (await once(worker, 'message', { signal: either })) as [Reply<Answer>];
      if ('error' in reply) throw new Error(reply.error);
      return reply.answer;
    } catch (error) {
      // The next request starts another one, which begins with nothing.
      await this.close();
      throw error;
    } finally {
      worker.removeListener('exit', end);
      worker.unref();
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const { data = null, limits = {} } = this.#options;
    const started = new Worker(this.#file, { workerData: data, resourceLimits: limits });
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
