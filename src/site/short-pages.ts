import type { FastifyReply, preSerializationHookHandler } from 'fastify';
import { durationWords } from '../core/base/text/formats.ts';
import { isForPeople } from '../http/hooks/missing-route.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { ASSETS } from './assets.ts';
import { type Html, html } from './html.ts';
import { documentOf } from './layout.ts';
import { searchForm } from './parts/filters.ts';

/** Scripts, styles and data from this service only; nothing inline, nothing in a frame. */
export const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const HTML = 'text/html; charset=utf-8';
const UNCACHED = { 'content-type': HTML, 'content-security-policy': SITE_POLICY };

type Service = Pick<ServerDeps, 'freeDelayMs' | 'publicUrl'>;

interface Frame {
  /** A sentence that every page begins with; null without one. */
  readonly notice: () => string | null;
}

export function sendNotFound(reply: FastifyReply, service: Service, frame: Frame): void {
  void reply.code(404).headers(UNCACHED).send(notFoundDocument(service, frame));
}

export function errorsAsDocuments(service: Service, frame: Frame): preSerializationHookHandler<unknown> {
  return (request, reply, payload, done) => {
    const { statusCode } = reply;
    if (statusCode >= 400 && isForPeople(request)) {
      const document =
        statusCode === 404 ? notFoundDocument(service, frame) : failureDocument(statusCode, request.id);
      reply.headers({ ...UNCACHED, vary: 'accept' }).serializer(() => document);
    }
    done(null, payload);
  };
}

interface Words {
  readonly title: string;
  readonly advice: string;
}

const WORDS: Readonly<Record<number, Words>> = {
  429: {
    title: 'Too many requests',
    advice:
      'Your address sent more requests at once, or in a minute, than the service allows. Try again in a minute.',
  },
  503: {
    title: 'Unavailable for a moment',
    advice: 'The service cannot read its data right now. Try again in a few seconds.',
  },
};
const REFUSED: Words = {
  title: 'This address is not valid',
  advice: 'A value in the address has a form that no page accepts.',
};
const FAILED: Words = {
  title: 'This page failed',
  advice: 'The service failed. The failure is in its log, under the number below.',
};

/** For addresses that lead nowhere, and for alerts that are not public yet: both look the same, whatever the address. */
function notFoundDocument({ freeDelayMs, publicUrl }: Service, { notice }: Frame): string {
  const title = 'Page not found';
  const page = {
    title,
    description: 'There is no page at this address.',
    path: '/not-found',
    isIndexed: false,
    body: html`<div class="stack prose">
      <h1>${title}</h1>
      <p>The address may be mistyped. ${publicAfter(freeDelayMs)}</p>
      ${searchForm()}
    </div>`,
  };
  return documentOf(page, publicUrl, notice());
}

export function publicAfter(freeDelayMs: number): string {
  return freeDelayMs === 0
    ? 'Alerts are public at once.'
    : `Alerts are shown here ${durationWords(freeDelayMs)} after they are published.`;
}

function failureDocument(status: number, requestId: string): string {
  return shortDocument(
    WORDS[status] ?? (status < 500 ? REFUSED : FAILED),
    html`<p class="muted small">Status ${status}, request <code>${requestId}</code></p>
      <p><a href="/">Alerts</a> · <a href="/status">Status</a></p>`,
  );
}

/** Without the frame of the site but its name: a refusal of many requests must cost much less than a page. */
function shortDocument({ title, advice }: Words, more: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Tipoff</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${ASSETS['icon.svg'].address}" type="image/svg+xml" />
        <link rel="stylesheet" href="${ASSETS['site.css'].address}" />
      </head>
      <body>
        <header class="site"><a class="brand" href="/">Tipoff</a></header>
        <main class="stack prose">
          <h1>${title}</h1>
          <p>${advice}</p>
          ${more}
        </main>
      </body>
    </html>`.toString();
}
