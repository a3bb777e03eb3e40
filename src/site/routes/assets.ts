import { ReadyAnswer } from '../../http/views/ready-answer.ts';
import { ASSETS } from '../assets.ts';
import type { SitePart } from '../site.ts';

/** A changed file has another address. */
const CACHE = 'public, max-age=31536000, immutable';

/** The files that pages load. */
export function registerAssets({ app }: Pick<SitePart, 'app'>): void {
  for (const { path, text, contentType } of Object.values(ASSETS)) {
    const answer = new ReadyAnswer(text, { contentType, cacheControl: CACHE });
    app.get(path, { schema: { hide: true } }, (request, reply) => answer.send(request, reply));
  }
}
