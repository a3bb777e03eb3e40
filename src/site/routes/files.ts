import { alertPath } from '../../core/alerts/site-paths.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { REFERENCE_PATHS } from '../../http/documents/reference.ts';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { ReadyAnswer } from '../../http/views/ready-answer.ts';
import { ASSETS } from '../assets.ts';
import { ALL_SECTIONS } from '../layout.ts';
import type { SitePart } from '../site.ts';

const HIDDEN = { schema: { hide: true } } as const;
const DAY = 'public, max-age=86400';
/** A changed file has another address. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Sitemaps may be larger (sitemaps.org: 50,000 addresses); older alerts are found through newer pages. */
const ALERTS_MAX = 10_000;
const PATHS = new Set([...ALL_SECTIONS.map(([path]) => path), ...REFERENCE_PATHS, '/docs/errors']);

export function registerAssets(app: SitePart['app']): void {
  for (const { path, text, contentType } of Object.values(ASSETS))
    registerFile(app, path, answerOf(text, contentType, FOREVER));
}

export function registerCrawlerFiles({ app, deps, site }: SitePart): void {
  registerFile(app, '/robots.txt', answerOf(robotsText(deps.publicUrl), 'text/plain; charset=utf-8', DAY));
  app.get('/sitemap.xml', HIDDEN, async (request, reply) => {
    const make = async () => {
      const text = sitemap(deps.publicUrl, site.newestId());
      const answer = answerOf(text, 'application/xml; charset=utf-8', 'public, max-age=300');
      return { answer, bytes: text.length, topics: [] };
    };
    const answer = await site.pages.get('/sitemap.xml', () => schedulePage(request, deps, make));
    await answer?.send(request, reply);
  });
}

function registerFile(app: SitePart['app'], path: string, answer: ReadyAnswer): void {
  app.get(path, HIDDEN, (request, reply) => answer.send(request, reply));
}

function answerOf(text: string, contentType: string, cacheControl: string): ReadyAnswer {
  return new ReadyAnswer(text, { contentType, cacheControl });
}

/** Pages that are not for an index say so themselves: a crawler must be able to read that. */
function robotsText(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** Ids have no gaps, so that the newest one is enough to name the pages of all. */
function sitemap(publicUrl: string, newestId: number): string {
  const count = Math.min(newestId, ALERTS_MAX);
  const alerts = Array.from({ length: count }, (_, index) => alertPath(newestId - index));
  const entries = [...PATHS, ...alerts].map(
    (path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>\n',
  ].join('\n');
}
