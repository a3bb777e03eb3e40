import { parentPort, workerData } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { DocsOptions, DocsPage } from './docs-page.ts';

const { hasSite } = workerData as DocsOptions;

/** Words stay whole, and a wide table scrolls in its own frame. The page leaves room for the header. */
const STYLE = `
.scalar-app .markdown table { display: block; table-layout: auto; width: fit-content; max-width: 100%; overflow-x: auto }
.scalar-app .markdown :is(th, td) { word-break: normal; overflow-wrap: normal }
.to-site { position: sticky; z-index: 20; top: 0; display: flex; gap: 1.25rem; align-items: center; height: 2.75rem; padding: 0 1rem; overflow-x: auto; font: 0.875rem system-ui, sans-serif; white-space: nowrap; background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color) }
.to-site a { color: var(--scalar-color-1); text-decoration: none }
.to-site a:first-child { font-weight: 650 }
.to-site a:hover { text-decoration: underline }
${hasSite ? ':root { --scalar-custom-header-height: 2.75rem }' : ''}`;

const HEADER = `<nav class="to-site" aria-label="Site"><a href="/">Tipoff</a><a href="/developers">Developers</a><a href="/docs/errors">Error codes</a><a href="/docs/versions">Versions</a></nav>`;

// Loading the page's library takes most of a second and much memory: a worker does not block the service, and frees the memory.
const press = Fastify();
press.register(reference, {
  routePrefix: '/docs',
  configuration: {
    url: '/api/v1/openapi.json',
    cdn: '/docs/scalar.js',
    pageTitle: 'Tipoff API',
    customCss: STYLE,
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

/** Adds the language for screen readers, an empty icon, so that browsers do not request one, and the way to the other pages. */
function withHead(html: string): string {
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</title>', '</title>\n    <link rel="icon" href="data:," />')
    .replace('<div id="app">', `${hasSite ? HEADER : ''}<div id="app">`);
}
