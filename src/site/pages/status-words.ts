import { rounded } from '../../core/base/rounded.ts';
import { counted, timeSpan, utcMinute } from '../../core/base/text/formats.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/base/time/duration.ts';
import { CAUSE_WORDS } from '../../core/trades/coverage/blind-window.ts';
import type { FeedView } from '../../core/trades/coverage/coverage-report.ts';
import type { ReportedSources } from '../service-report.ts';
import type { SiteDeps } from '../site-deps.ts';

/** How the feed stands, as a headline with a sentence. */
interface Headline {
  readonly tone: 'right' | 'warn' | 'wrong' | 'plain';
  readonly text: string;
  readonly more: string;
}

/** What people should know first: whether the market is seen now. */
export function headlineOf(view: FeedView, source: SiteDeps['source']): Headline {
  const { state, reason, factsDelayed } = view;
  const { more: meaning, ...stated } = stateHeadline(view, source);
  const headline = { ...stated, more: reason === null ? meaning : `${CAUSE_WORDS[reason]} ${meaning}` };
  if (factsDelayed === null) return headline;
  const { waiting, since } = factsDelayed;
  const wait = `Facts about new wallets have been missing since ${utcMinute(since)}; ${counted(waiting, 'trade')} waiting for them.`;
  const more = `${headline.more} ${wait} Their alerts come late; none is lost.`;
  if (state !== 'live') return { ...headline, more };
  return { tone: 'warn', text: 'The feed sees the market, alerts of new wallets are late', more };
}

function stateHeadline({ state, since }: FeedView, source: SiteDeps['source']): Headline {
  switch (state) {
    case 'live':
      return {
        tone: 'right',
        text: 'The feed sees the market',
        more: 'Every trade that the market lists is read and confirmed.',
      };
    case 'catching_up':
      return {
        tone: 'warn',
        text: 'The feed sees the market again',
        more: 'It reads what it has missed; alerts of that time come late.',
      };
    case 'unconfirmed':
      return {
        tone: 'warn',
        text: 'The feed sees trades, not confirmed',
        more: 'A live stream or a node shows trades, and nothing confirms at the moment that they are all.',
      };
    case 'blind':
      return {
        tone: 'wrong',
        text: 'The feed does not see the market',
        more: 'Alerts of this time come late, after the trades were read. No alert now does not mean that nothing happens.',
      };
    case 'unknown':
      return unwatched(source, since !== null);
  }
}

function unwatched(source: SiteDeps['source'], wasWatched: boolean): Headline {
  if (source === 'market')
    return {
      tone: 'plain',
      text: 'The feed has not seen the market yet',
      more: 'The service has just started.',
    };
  const more =
    source === 'tape'
      ? 'The alerts come from a recorded tape that is played here.'
      : 'This service shows what is stored.';
  return {
    tone: 'plain',
    text: 'No live market is watched',
    more: wasWatched ? `${more} What follows is from when one was watched.` : more,
  };
}

/** The sources of trades: name, and state. */
export function sourceRows({
  leader,
  stream,
  node,
}: ReportedSources): readonly (readonly [string, string])[] {
  const rowOf = (source: ReportedSources['leader'], name: string, state: string) =>
    [name, leader === source ? `${state} Leads: its trades pass as they come.` : state] as const;
  const shown = `${rounded(stream.completeness * 100, 1)} %`;
  return [
    rowOf(
      'node',
      'A node of the chain',
      node === undefined
        ? 'Not used.'
        : node.at_head
          ? 'Up to date. Confirms what another source shows too.'
          : 'Behind.',
    ),
    rowOf(
      'stream',
      'The live stream of the market',
      stream.open ? `Open. Showed ${shown} of recent trades first. Confirms nothing.` : 'Closed.',
    ),
    rowOf('polling', 'The list of trades of the market', 'Read again and again. Confirms.'),
  ];
}

/** `99.98 %`: never rounded up, so that 100 % means all of it. A dash without a share. */
export function shareWords(share: number | null): string {
  return share === null ? '–' : `${Math.floor(share * 10_000) / 100} %`;
}

/** `4.2 s`, and from two minutes on `17 min`, `2 h`. */
export function ageWords(ms: number): string {
  return ms < 2 * MINUTE_MS ? `${rounded(ms / SECOND_MS, 1)} s` : timeSpan(ms);
}
