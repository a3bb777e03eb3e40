import { alertOf } from '../alerts.ts';

const CODE = `
  const { existsSync } = require('node:fs');
  import('./dist/src/infra/cards/card-thread.js').then(async ({ CardThread }) => {
    const thread = new CardThread();
    const png = await thread.draw(JSON.parse(process.env.SUBJECT), new AbortController().signal);
    console.log(Buffer.from(png).toString('latin1', 1, 4), png.length > 10_000);
    console.log(existsSync('node_modules/@fontsource/inter/LICENSE'));
    await thread.close();
  });
`;

/** Draws a card with the compiled service, and looks for the licence of the font. */
export const DRAW_CARD = {
  line: 'node --eval "$CODE"',
  env: { CODE, SUBJECT: JSON.stringify({ alert: alertOf({ id: 1 }), isWithdrawn: false }) },
  result: { code: 0, out: 'PNG true\ntrue\n', err: '' },
};
