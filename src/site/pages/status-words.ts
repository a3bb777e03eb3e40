import { counted, utcMinute } from '../../core/base/text/formats.ts';
import { CAUSE_WORDS } from '../../core/trades/coverage/blind-window.ts';
import type { FeedView } from '../../core/trades/coverage/coverage-report.ts';
import type { SiteDeps } from '../site.ts';

interface Headline {
  readonly tone: 'right' | 'warn' | 'wrong' | 'plain';
  readonly text: string;
  readonly more: string;
}

const HEADLINES: Readonly<Record<Exclude<FeedView['state'], 'unknown'>, Headline>> = {
  live: {
    tone: 'right',
    text: 'The feed sees the market',
    more: 'Every trade that the market lists is read and confirmed.',
  },
  catching_up: {
    tone: 'warn',
    text: 'The feed sees the market again',
    more: 'It is reading what it missed; alerts from that time come late.',
  },
  unconfirmed: {
    tone: 'warn',
    text: 'The feed sees trades, not confirmed',
    more: 'A node shows trades, but nothing confirms at the moment that they are complete.',
  },
  blind: {
    tone: 'wrong',
    text: 'The feed does not see the market',
    more: 'Alerts from this time will come late, once the trades have been read. That there is no alert now does not mean that nothing is happening.',
  },
};
const UNSEEN: Readonly<Record<SiteDeps['source'], Headline>> = {
  market: {
    tone: 'plain',
    text: 'The feed has not seen the market yet',
    more: 'The service has just started.',
  },
  tape: {
    tone: 'plain',
    text: 'No live market is watched',
    more: 'The alerts come from a recorded tape that is being replayed here.',
  },
  none: {
    tone: 'plain',
    text: 'No live market is watched',
    more: 'This service shows what is stored.',
  },
};

export function headlineOf(view: FeedView, source: SiteDeps['source']): Headline {
  const { state, reason, factsDelayed } = view;
  const { more: meaning, ...stated } = stateHeadline(view, source);
  const headline = { ...stated, more: reason === null ? meaning : `${CAUSE_WORDS[reason]} ${meaning}` };
  if (factsDelayed === null) return headline;
  const { waiting, since } = factsDelayed;
  const wait = `Facts about new wallets have been missing since ${utcMinute(since)}; ${counted(waiting, 'trade')} waiting for them.`;
  const more = `${headline.more} ${wait} Their alerts come late, but none is lost.`;
  if (state !== 'live') return { ...headline, more };
  return { tone: 'warn', text: 'The feed sees the market, but alerts on new wallets are late', more };
}

function stateHeadline({ state, since }: FeedView, source: SiteDeps['source']): Headline {
  if (state !== 'unknown') return HEADLINES[state];
  const unseen = UNSEEN[source];
  if (source === 'market' || since === null) return unseen;
  return { ...unseen, more: `${unseen.more} What follows is from the time when one was watched.` };
}
