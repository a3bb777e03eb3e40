import { PLATFORM_LABELS } from '../../../../src/core/accounts/customers/customer.ts';
import type { LastingFilter } from '../../../../src/core/alerts/passes-filter.ts';
import { capitalised, cutText, dollars } from '../../../../src/core/base/text/formats.ts';
import { FOLLOW_LIMITS } from '../../../../src/core/follow/active-follows.ts';
import { DAILY_LIMIT_WORDS } from '../../../../src/core/follow/day-of-person.ts';
import { FILTER_HELP, type ParsedFilter, parseFilterText } from '../../../../src/core/follow/filter-text.ts';
import type { FollowRefusal } from '../../../../src/core/follow/follow-change.ts';
import { followName } from '../../../../src/core/follow/follow-words.ts';
import type { Follow, Follower } from '../../../../src/core/follow/follower.ts';
import { CATEGORIES } from '../../../../src/core/trades/trade.ts';
import { type Button, type Paragraph, plainScreen, type Screen } from '../../screen.ts';
import { FOLLOWS_BUTTON, GET_KEY_BUTTON, MENU_BUTTONS, MUTES_BUTTON, staleScreen } from '../buttons.ts';
import { delayWords, TIER_WORDS } from '../words.ts';
import { viewAction } from './preview-screens.ts';

/** In lists and answers; a whole title may have hundreds of characters. */
export const NAME_LENGTH = 60;
const EXAMPLES_BUTTON: Button = { label: 'Examples', action: 'follow' };
const ASK = { action: 'follow', label: 'What to follow' };
/** “Very high”: about one alert in forty (docs/reading-alerts.md). */
const VERY_HIGH = 80;
const LARGE_USDC = 10_000;

/** The question for another filter of a rule. */
export function askFilter(id: string) {
  return { action: `follow_edit_to:${id}`, label: 'Another filter' };
}

export function nameOf(follow: Pick<Follow, 'nickname' | 'subject'>): string {
  return cutText(followName(follow), NAME_LENGTH);
}

/** `/follow` alone, and for someone who follows nothing: rules to start with, each one tap from its preview. */
export function startersScreen(): Screen {
  const view = (label: string, filter: LastingFilter): Button => ({ label, action: viewAction(filter) });
  const categories = CATEGORIES.map((category) =>
    view(capitalised(category.replaceAll('_', ' ')), { category }),
  );
  return plainScreen(
    'follow_starters',
    [
      [{ bold: 'Which alerts do you want?' }],
      `I send them to you here. ${DAILY_LIMIT_WORDS}. Start with one of these; you see what it brings before it is saved.`,
      [
        'Or send me up to 25 wallets’ addresses, links to markets or numbers of alerts, or a filter in words: ',
        { code: FILTER_HELP },
      ],
    ],
    [
      [
        view(`Score ${VERY_HIGH} or more`, { minScore: VERY_HIGH }),
        view(`${dollars(LARGE_USDC)} or more`, { minPosition: LARGE_USDC }),
      ],
      categories.slice(0, 4),
      categories.slice(4),
      [MENU_BUTTONS],
    ],
    ASK,
  );
}

/** A text that cannot be read: says which word is wrong and what would be right, and offers to search for it. */
export function badFilter(
  text: string,
  { word, right }: ParsedFilter & { ok: false },
  edited: string | null,
): Screen {
  // With conditions beside it, only the wrong word may be meant as words.
  const wanted = /[:=]/.test(text) ? word : text;
  const search = parseFilterText(`words ${wanted}`);
  const words = search.ok
    ? [{ label: cutText(`Words: ${wanted}`, 36), action: viewAction(search.filter, edited) }]
    : [];
  const wrong = word === '' ? [] : [[`I do not understand “${cutText(word, NAME_LENGTH)}”. ${right}`]];
  return plainScreen(
    'bad_filter',
    [
      ...(word === '' ? [right] : wrong),
      [
        'A filter: ',
        { code: FILTER_HELP },
        '\nOr an address, a link to a market, or the number of an alert.',
      ],
    ],
    [words, [EXAMPLES_BUTTON, MENU_BUTTONS]],
    edited === null ? ASK : askFilter(edited),
  );
}

/** What is followed now, and when its alerts come. A new follow can be undone; a change cannot. */
export function savedScreen(
  follow: Follow,
  { zone, platform }: Follower,
  { delayMs, isNew }: { readonly delayMs: number; readonly isNew: boolean },
): Screen {
  const zoneWords = `${DAILY_LIMIT_WORDS}. The rest come as one list at 19:00 UTC, or at your 19:00 once you set your time zone.`;
  const ask = zone === null ? [[{ label: 'Set my time zone', action: 'follow_zone' }]] : [];
  return plainScreen(
    'follow_saved',
    [
      [{ bold: 'You follow ' }, nameOf(follow)],
      `New alerts come ${delayWords(delayMs)}, in ${PLATFORM_LABELS[platform]}.${zone === null ? ` ${zoneWords}` : ''}`,
    ],
    [
      [
        { label: follow.nickname === null ? 'Name it' : 'Rename', action: `follow_name:${follow.id}` },
        ...(isNew ? [{ label: 'Undo', action: `follow_remove:${follow.id}` }] : []),
      ],
      ...ask,
      [FOLLOWS_BUTTON, MENU_BUTTONS],
    ],
  );
}

/** Why nothing was changed, and what to do next. */
export function refusedScreen(refusal: FollowRefusal): Screen {
  switch (refusal.reason) {
    case 'too_many_follows': {
      const { limit, tier } = refusal;
      const most = FOLLOW_LIMITS.pro;
      const way = limit < most ? `, or get a Pro key to follow up to ${most}` : '';
      return refused(
        [{ bold: `You follow ${limit}, the maximum with ${TIER_WORDS[tier]}.` }, ` Remove one${way}.`],
        limit < most ? [FOLLOWS_BUTTON, GET_KEY_BUTTON] : [FOLLOWS_BUTTON],
      );
    }
    case 'already_followed': {
      const open = { label: 'Open it', action: `follow_show:${refusal.follow.id}` };
      return refused(['You already follow that: ', { bold: nameOf(refusal.follow) }], [open, FOLLOWS_BUTTON]);
    }
    case 'too_many_mutes':
      return refused([`You have muted ${refusal.limit}, the maximum. Unmute one first.`], [MUTES_BUTTON]);
    case 'unknown_follow':
      return refused(['You no longer follow that.'], [FOLLOWS_BUTTON]);
    default:
      return staleScreen();
  }
}

function refused(words: Paragraph, buttons: readonly Button[]): Screen {
  return plainScreen('follow_refused', [words], [[...buttons, MENU_BUTTONS]]);
}

/** A wallet or market that cannot be followed or muted. `slug`: its words can be followed instead. */
export function noSubject(why: string, slug: string | null = null): Screen {
  const search = slug === null ? null : parseFilterText(`words ${slug}`);
  const words = search?.ok ? [{ label: 'Follow these words', action: viewAction(search.filter) }] : [];
  return plainScreen(
    'no_subject',
    [[why], ...(words.length === 0 ? [] : ['To hear about its first one, follow the words in its address.'])],
    [[...words, FOLLOWS_BUTTON, MENU_BUTTONS]],
  );
}
