import { ASSETS } from '../assets.ts';
import { SERVICE_IMAGE, TOUCH_ICON } from '../layout.ts';
import type { SitePart } from '../site.ts';
import { sendCard } from './card.ts';

const HIDDEN = { schema: { hide: true } } as const;

/** The general preview picture and the icons that are not SVG. */
export function registerServiceImages({ app, site }: SitePart): void {
  const { text: svg } = ASSETS['icon.svg'];
  for (const [path, use] of [
    ['/favicon.ico', 'favicon'],
    [TOUCH_ICON, 'touch'],
  ] as const)
    app.get(path, HIDDEN, (request, reply) =>
      sendCard({ site, request, reply }, path, () => ({ kind: 'icon', svg, use })),
    );
  const { path } = SERVICE_IMAGE;
  app.get(path, HIDDEN, (request, reply) =>
    sendCard({ site, request, reply }, path, () => ({ kind: 'service' })),
  );
}
