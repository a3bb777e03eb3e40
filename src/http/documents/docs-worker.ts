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
const [html, script] = await Promise.all(['/docs/', '/docs/js/scalar.js'].map((url) => press.inject(url)));
parentPort?.postMessage({
  html: withHead(html?.payload ?? ''),
  script: script?.payload ?? '',
} satisfies DocsPage);

/** The language for readers aloud; and no icon, so that no browser asks for one. */
function withHead(html: string): string {
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</title>', '</title>\n    <link rel="icon" href="data:," />');
}
