import { SPORTS_TAGS } from '../../../src/core/trades/classification/tag-table.ts';

const RECURRING_TAGS = ['up-or-down', 'finance-updown', '5m', '15m', '1h', '4h', 'hourly'];

const TIME_OF_DAY = /(^| )\d{1,2}( \d{2})? ?(am|pm) (et|est|edt|utc)( |$)/;

const PRICE_NAMES =
  'bitcoin,btc,ethereum,eth,solana,sol,xrp,dogecoin,doge,bnb,hyperliquid,hype,litecoin,cardano,zcash,spx,s p 500,nasdaq,ndx,gold,silver,oil,wti,price'.split(
    ',',
  );

const COMPARISONS =
  'above,below,between,greater,less,higher,lower,over,under,reach,hit,dip,price,close,closes'.split(',');

/** Whether trades of a market give no alert: sports, and prices that are settled within a day. */
export function isLeftOut(title: string, slug: string, tags: readonly string[]): boolean {
  if (tags.some((tag) => SPORTS_TAGS.has(tag.toLowerCase()) || RECURRING_TAGS.includes(tag.toLowerCase()))) {
    return true;
  }
  return [words(title), words(slug)].some((text) => {
    const has = (phrase: string) => ` ${text} `.includes(` ${phrase} `);
    if (/(^| )up or down(?! votes?( |$))( |$)/.test(text) || has('updown')) return true;
    return TIME_OF_DAY.test(text) && PRICE_NAMES.some(has) && COMPARISONS.some(has);
  });
}

/** Lower-case words without accents and punctuation. */
function words(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
