import { html } from '../html.ts';
import { TOPICS } from '../page.ts';
import { type SitePart, sendPage } from '../site.ts';

/** The first page: today, and the newest alerts. */
export function registerHome(part: SitePart): void {
  part.app.get('/', { schema: { hide: true } }, (request, reply) =>
    sendPage(part, { name: '/', make: homePage }, request, reply),
  );
}

function homePage() {
  return {
    title: 'prediction-market trades that look informed',
    description: 'Trades on a prediction market that look informed, five minutes after they were published.',
    path: '/',
    topics: [TOPICS.alerts],
    body: html`<h1>Prediction-market trades that look informed</h1>`,
  };
}
