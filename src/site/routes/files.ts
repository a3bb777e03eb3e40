import { ReadyAnswer } from '../../http/views/ready-answer.ts';
import { ASSETS } from '../assets.ts';
import type { SitePart } from '../site.ts';

const DAY = 'public, max-age=86400';
/** A changed file has another address. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Pages that are not for an index say so themselves: a crawler must be able to read that. */
const ROBOTS = 'User-agent: *\nDisallow: /api/\n';

export function registerAssets(app: SitePart['app']): void {
  for (const { path, text, contentType } of Object.values(ASSETS))
    registerFile(app, path, new ReadyAnswer(text, { contentType, cacheControl: FOREVER }));
}

export function registerRobots({ app }: SitePart): void {
  const options = { contentType: 'text/plain; charset=utf-8', cacheControl: DAY };
  registerFile(app, '/robots.txt', new ReadyAnswer(ROBOTS, options));
}

function registerFile(app: SitePart['app'], path: string, answer: ReadyAnswer): void {
  app.get(path, (request, reply) => answer.send(request, reply));
}
