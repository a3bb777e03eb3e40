import { alertOf } from '../alerts.ts';

const CODE = `
  import { existsSync } from 'node:fs';
  import { CardThread } from './dist/src/infra/cards/card-thread.js';
  const thread = new CardThread();
  const png = await thread.draw(JSON.parse(process.env.ALERT), new AbortController().signal);
  console.log(Buffer.from(png).toString('latin1', 1, 4), png.length > 10_000);
  console.log(existsSync('node_modules/@fontsource/inter/LICENSE'));
  await thread.close();
`;

/** Draws a card with the compiled service, and looks for the licence of the font. */
export const DRAW_CARD = {
  line: 'echo "$CODE" | node --input-type=module -',
  env: { CODE, ALERT: JSON.stringify(alertOf({ id: 1 })) },
  result: { code: 0, out: 'PNG true\ntrue\n', err: '' },
};
