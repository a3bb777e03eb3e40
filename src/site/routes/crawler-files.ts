import { alertPath } from '../../core/alerts/site-paths.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { ReadyAnswer } from '../../http/views/ready-answer.ts';
import { ASSETS } from '../assets.ts';
import { SECTIONS } from '../layout.ts';
import type { SitePart } from '../site.ts';

const HIDDEN = { schema: { hide: true } } as const;
const DAY = 'public, max-age=86400';
/** Sitemaps may be larger (sitemaps.org: 50,000 addresses); older alerts are found through newer pages. */
const ALERTS_MAX = 10_000;
/** Besides the sections. */
const OTHER_PAGES = ['/docs', '/docs/errors'];

/** What crawlers and browsers ask for without a link: `robots.txt`, `sitemap.xml` and `favicon.ico`. */
export function registerCrawlerFiles({ app, deps, site }: SitePart): void {
  const robots = answerOf(robotsText(deps.publicUrl), 'text/plain; charset=utf-8', DAY);
  const icon = answerOf(ASSETS['icon.svg'].text, ASSETS['icon.svg'].contentType, DAY);
  app.get('/robots.txt', HIDDEN, (request, reply) => robots.send(request, reply));
  app.get('/favicon.ico', HIDDEN, (request, reply) => icon.send(request, reply));
  app.get('/sitemap.xml', HIDDEN, async (request, reply) => {
    const make = async () => {
      const text = sitemap(deps.publicUrl, site.newestId());
      const made = answerOf(text, 'application/xml; charset=utf-8', 'public, max-age=300');
      return { answer: made, bytes: text.length, topics: [] };
    };
    const answer = await site.pages.get('/sitemap.xml', () => schedulePage(request, deps, make));
    await answer?.send(request, reply);
  });
}

function answerOf(text: string, contentType: string, cacheControl: string): ReadyAnswer {
  return new ReadyAnswer(text, { contentType, cacheControl });
}

/** Pages that are not for an index say so themselves: a crawler must be able to read that. */
function robotsText(publicUrl: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /live',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Ids have no gaps, so that the newest one is enough to name the pages of all. */
function sitemap(publicUrl: string, newestId: number): string {
  const count = Math.min(newestId, ALERTS_MAX);
  const alerts = Array.from({ length: count }, (_, index) => alertPath(newestId - index));
  const paths = [...SECTIONS.map(([path]) => path), ...OTHER_PAGES, ...alerts];
  const entries = paths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}
