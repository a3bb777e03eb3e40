import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { DocsPage } from './docs-page.ts';

// Loading the page's library takes a good part of a second and much memory: here it holds up nobody and is gone after.
const press = Fastify();
press.register(reference, {
  routePrefix: '/docs',
  configuration: {
    url: '/api/v1/openapi.json',
    cdn: '/docs/scalar.js',
    pageTitle: 'Tipoff API',
    // Nothing is asked of anybody else.
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
  if (statusCode !== 200) throw new Error(`${url} of the documentation's page: ${statusCode}`);
  return payload;
}

/** The language for readers aloud; and no icon, so that no browser asks for one. */
function withHead(html: string): string {
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</title>', '</title>\n    <link rel="icon" href="data:," />');
}
