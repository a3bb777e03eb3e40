import { hash } from 'node:crypto';
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { ReadyAnswer } from '../views/ready-answer.ts';

const CACHE = 'public, max-age=300';

/** The interactive page over the API document. It loads everything from this server, so it works without the internet. */
export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  let made: ReturnType<typeof makeAnswers> | null = null;
  const answers = () => {
    made ??= makeAnswers(options);
    made.catch(() => {
      made = null;
    });
    return made;
  };
  app.get('/docs', async (request, reply) => (await answers()).html.send(request, reply));
  app.get('/docs/scalar.js', async (request, reply) => (await answers()).script.send(request, reply));
}

async function makeAnswers(options: DocsOptions) {
  const { html, script } = await makeDocsPage(options);
  const headers = { 'content-security-policy': policyOf(html) };
  return {
    html: new ReadyAnswer(html, { contentType: 'text/html; charset=utf-8', cacheControl: CACHE, headers }),
    script: new ReadyAnswer(script, { contentType: 'text/javascript; charset=utf-8', cacheControl: CACHE }),
  };
}

/** Our script and the page's own lines, known by their hash; requests to this server only. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${hash('sha256', code ?? '', 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface DocsPage {
  readonly html: string;
  readonly script: string;
}

export interface DocsOptions {
  readonly hasSite: boolean;
}

async function makeDocsPage(options: DocsOptions): Promise<DocsPage> {
  const file = new URL(`./docs-worker${extname(import.meta.filename)}`, import.meta.url);
  const [page] = await once(new Worker(file, { workerData: options }), 'message');
  return page;
}
