import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { DocsPage } from './docs-page.ts';

// Loading the page's library takes most of a second and much memory: a worker does not block the service, and frees the memory.
const press = Fastify();
press.register(reference, {
  routePrefix: '/docs',
  configuration: {
    url: '/api/v1/openapi.json',
    cdn: '/docs/scalar.js',
    pageTitle: 'Tipoff API',
    // No requests to other hosts.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
  },
});
const [html, script] = await Promise.all([printed('/docs/'), printed('/docs/js/scalar.js')]);
parentPort?.postMessage({ html: withHead(html), script } satisfies DocsPage);

async function printed(url: string): Promise<string> {
  const { statusCode, payload } = await press.inject(url);
  if (statusCode !== 200) throw new Error(`the documentation page failed: ${url} answered ${statusCode}`);
  return payload;
}

/** Adds the language for screen readers, and an empty icon, so that browsers do not request one. */
function withHead(html: string): string {
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</title>', '</title>\n    <link rel="icon" href="data:," />');
}
