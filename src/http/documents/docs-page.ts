import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The interactive page and the script it loads. */
export interface DocsPage {
  readonly html: string;
  readonly script: string;
}

export function makeDocsPage(): Promise<DocsPage> {
  const worker = new Worker(new URL(`./docs-worker${extname(import.meta.filename)}`, import.meta.url));
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () =>
      reject(new Error('the worker of the documentation page exited without a result')),
    );
  });
}
