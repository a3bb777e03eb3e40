import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The interactive page and the script it loads. */
export interface DocsPage {
  readonly html: string;
  readonly script: string;
}

/** What the page depends on. */
export interface DocsOptions {
  /** There are pages for people, to which it links. */
  readonly hasSite: boolean;
}

export function makeDocsPage(options: DocsOptions): Promise<DocsPage> {
  const file = new URL(`./docs-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { workerData: options });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () =>
      reject(new Error('the worker of the documentation page exited without a result')),
    );
  });
}
