import { Resvg } from '@resvg/resvg-js';
import type { IconSubject } from '../../core/alerts/cards/card-painter.ts';
import { COLOURS } from './card-elements.ts';
import { pngOf } from './draw-card.ts';

/** What phones ask for, in pixels. */
const TOUCH_SIZE = 180;
/** Tabs of both densities, and search engines, which ask for multiples of 48. */
const FAVICON_SIZES = [16, 32, 48];

export function drawIcon({ svg, use }: IconSubject): Uint8Array<ArrayBuffer> {
  if (use === 'favicon')
    return icoOf(FAVICON_SIZES.map((size) => ({ size, png: pngOf(pictureOf(svg, size)) })));
  return pngOf(pictureOf(svg, TOUCH_SIZE, { background: COLOURS.accent }));
}

function pictureOf(svg: string, size: number, options: { readonly background?: string } = {}): Resvg {
  return new Resvg(svg, { ...options, fitTo: { mode: 'width', value: size } });
}

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const ICON_TYPE = 1;

/** ICO is a list of entries before the pictures, which may be PNG (learn.microsoft.com, “ICONDIR”). */
function icoOf(
  pictures: readonly { readonly size: number; readonly png: Uint8Array }[],
): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * pictures.length);
  head.writeUInt16LE(ICON_TYPE, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = HEADER_BYTES + ENTRY_BYTES * index;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return new Uint8Array(Buffer.concat([head, ...pictures.map(({ png }) => png)]));
}
