import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadyAnswer } from '../../http/views/ready-answer.ts';
import { IMAGE_OPTIONS } from '../cards.ts';
import { SERVICE_IMAGE, TOUCH_ICON } from '../layout.ts';
import type { SitePart } from '../site.ts';

/** The general preview picture and the icons that are not SVG: files of `assets`. */
const IMAGES = [
  [SERVICE_IMAGE.path, 'image/png'],
  [TOUCH_ICON, 'image/png'],
  ['/favicon.ico', 'image/x-icon'],
] as const;

export function registerServiceImages({ app }: SitePart): void {
  for (const [path, contentType] of IMAGES) {
    const bytes = readFileSync(join(import.meta.dirname, '../assets', path));
    const answer = new ReadyAnswer(new Uint8Array(bytes), { contentType, ...IMAGE_OPTIONS });
    app.get(path, (request, reply) => answer.send(request, reply));
  }
}
