import { z } from 'zod';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { ASSETS } from '../assets.ts';
import {
  marketCard,
  marketImage,
  recordCard,
  recordImage,
  SERVICE_CARD,
  SERVICE_IMAGE,
  TOUCH_ICON,
} from '../page-cards.ts';
import { sendNotFound } from '../short-pages.ts';
import type { SitePart } from '../site.ts';
import { sendCard } from './card.ts';
import { readMarketReport } from './market.ts';

const HIDDEN = { schema: { hide: true } } as const;
const paramsSchema = z.object({ slug: z.string() });

/** The pictures of pages but those of alerts, and the icons that are no SVG. */
export function registerPageCards({ app, deps, site }: SitePart): void {
  const { text: svg } = ASSETS['icon.svg'];
  for (const [path, use] of [
    ['/favicon.ico', 'favicon'],
    [TOUCH_ICON, 'touch'],
  ] as const)
    app.get(path, HIDDEN, (request, reply) =>
      sendCard({ site, request, reply }, path, () => ({ kind: 'icon', svg, use })),
    );
  app.get('/card.png', HIDDEN, (request, reply) =>
    sendCard({ site, request, reply }, SERVICE_IMAGE.path, () => SERVICE_CARD),
  );
  app.get('/record.png', HIDDEN, (request, reply) => {
    const report = deps.record.read()?.report ?? null;
    const key = `${recordImage(report).path} ${report?.as_of}`;
    return sendCard({ site, request, reply }, key, () => recordCard(report));
  });
  const schema = { hide: true, params: paramsSchema };
  app.get('/markets/:slug.png', { schema }, async (request, reply) => {
    const slug = request.params.slug.toLowerCase();
    const market = await schedulePage(request, deps, (schedule) =>
      readMarketReport({ deps, site }, { slug }, schedule),
    );
    if (market === null) {
      sendNotFound(reply, deps);
      return reply;
    }
    const { path } = marketImage(market.report);
    return sendCard({ site, request, reply }, `${path} ${market.report.total}`, () => marketCard(market));
  });
}
