import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type DocsPage, makeDocsPage } from '../documents/docs-page.ts';
import { type ReadyAnswer, readyAnswer, sendReady } from '../views/ready-answer.ts';

const CACHE = 'public, max-age=300';

/** The interactive page over the API document. Everything it loads is ours, so that it works without the internet. */
export function registerDocs(app: FastifyInstance): void {
  let made: Promise<Record<keyof DocsPage, ReadyAnswer>> | null = null;
  const answers = () => {
    made ??= makeDocsPage().then(toAnswers);
    made.catch(() => {
      made = null;
    });
    return made;
  };
  app.get('/docs', async (request, reply) => {
    sendReady(request, reply, (await answers()).html);
    return reply;
  });
  app.get('/docs/scalar.js', async (request, reply) => {
    sendReady(request, reply, (await answers()).script);
    return reply;
  });
}

function toAnswers({ html, script }: DocsPage): Record<keyof DocsPage, ReadyAnswer> {
  return {
    html: readyAnswer(html, {
      contentType: 'text/html; charset=utf-8',
      cacheControl: CACHE,
      more: { 'content-security-policy': policyOf(html) },
    }),
    script: readyAnswer(script, { contentType: 'text/javascript; charset=utf-8', cacheControl: CACHE }),
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
