import { LRUCache } from 'lru-cache';
import type { Tier } from '../../../../src/core/accounts/tier.ts';
import { capitalised, cutText, utcDay } from '../../../../src/core/base/text/formats.ts';
import { FOLLOW_LIMITS, pausedByTier } from '../../../../src/core/follow/active-follows.ts';
import { FOLLOWER_LIMITS, type FollowChange } from '../../../../src/core/follow/follow-change.ts';
import type { FollowResult } from '../../../../src/core/follow/follow-service.ts';
import { subjectWords } from '../../../../src/core/follow/follow-words.ts';
import {
  FOLLOW_MODES,
  type Follow,
  type Follower,
  type FollowMode,
} from '../../../../src/core/follow/follower.ts';
import { marketAddress, walletAddress } from '../../../../src/core/trades/other-sites.ts';
import { type Button, type Paragraph, plainScreen, type Screen, type TextSpan } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS, SETTINGS_BUTTON, staleScreen } from '../buttons.ts';
import { type ConversationDeps, chatCommand, type Feature, type StepContext } from '../feature.ts';
import { TIER_WORDS } from '../words.ts';
import { askFilter, NAME_LENGTH, nameOf, refusedScreen, startersScreen } from './add-screens.ts';
import { personOf } from './follow-reads.ts';

const PER_PAGE = 8;
const LABEL_LENGTH = 24;
/** Removed follows are kept for Undo until a restart. */
const REMOVED_KEPT = 10_000;

const MODE_WORDS: Readonly<Record<FollowMode, string>> = {
  normal: 'with sound',
  silent: 'silent',
  daily: 'in the evening list',
};
const MODE_LABELS: Readonly<Record<FollowMode, string>> = {
  normal: 'With sound',
  silent: 'Silent',
  daily: 'Evening list only',
};

/** What a person follows: the list, and each follow with what can be changed. */
export function followList({ follows, alerts }: ConversationDeps): Feature {
  const own = new OwnFollows(follows, alerts);
  return {
    commands: [chatCommand('follows', 'What you follow, and how you hear about it')],
    steps: {
      follows: (context) => own.list(context),
      follow_show: (context) => own.one(context, followScreen),
      follow_name: (context) => own.one(context, askName),
      follow_name_to: (context) => own.change(context, (nickname) => ({ nickname })),
      follow_mode: (context) =>
        own.change(context, (text) => {
          const mode = FOLLOW_MODES.find((name) => name === text);
          return mode === undefined ? null : { mode };
        }),
      follow_pause: (context) => own.change(context, () => ({ isPaused: true })),
      follow_resume: (context) => own.change(context, () => ({ isPaused: false })),
      follow_edit: (context) => own.one(context, askEdit),
      follow_remove: (context) => own.remove(context),
      follow_back: (context) => own.putBack(context),
    },
  };
}

class OwnFollows {
  readonly #follows: ConversationDeps['follows'];
  readonly #alerts: Pick<ConversationDeps['alerts'], 'ofMarket'>;
  readonly #removed = new LRUCache<string, Follow>({ max: REMOVED_KEPT });

  constructor(follows: ConversationDeps['follows'], alerts: Pick<ConversationDeps['alerts'], 'ofMarket'>) {
    this.#follows = follows;
    this.#alerts = alerts;
  }

  async list(context: StepContext): Promise<Screen> {
    const person = personOf(context);
    const follower = await this.#follows.of(person);
    if (follower.follows.length === 0) return startersScreen();
    const page = Number(/^\d{1,2}$/.exec(context.argument.trim())?.[0] ?? 1);
    return listScreen(follower, await this.#follows.tierOf(person.customerId), page);
  }

  /** A screen of the follow that the argument names. */
  async one(context: StepContext, show: (shown: OwnFollow) => Screen): Promise<Screen> {
    const person = personOf(context);
    const follower = await this.#follows.of(person);
    const follow = follower.follows.find(({ id }) => id === context.argument);
    if (follow === undefined) return refusedScreen({ ok: false, reason: 'unknown_follow' });
    const { subject } = follow;
    const [alert] = subject.kind === 'market' ? await this.#alerts.ofMarket(subject.marketId, 1) : [];
    return show({
      follow,
      follower,
      tier: await this.#follows.tierOf(person.customerId),
      address: alert === undefined ? null : marketAddress(alert),
    });
  }

  /** `ID:REST`: the answer shows the changed follow. */
  async change(context: StepContext, changeOf: (rest: string) => FollowChange | null): Promise<Screen> {
    const [id = '', ...rest] = context.argument.split(':');
    const change = changeOf(rest.join(':'));
    if (change === null) return staleScreen();
    const result = await this.#follows.change(personOf(context), id, change);
    return result.ok ? this.one({ ...context, argument: id }, followScreen) : refusedOr(result, id);
  }

  async remove(context: StepContext): Promise<Screen> {
    const result = await this.#follows.remove(personOf(context), context.argument);
    if (!result.ok) return refusedScreen(result);
    const { follow } = result;
    this.#removed.set(keyOf(context, follow.id), follow);
    return plainScreen(
      'follow_removed',
      [['You no longer follow ', { bold: nameOf(follow) }]],
      [[{ label: 'Undo', action: `follow_back:${follow.id}` }, FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  async putBack(context: StepContext): Promise<Screen> {
    const follow = this.#removed.get(keyOf(context, context.argument));
    if (follow === undefined) return staleScreen();
    const result = await this.#follows.restore(personOf(context), follow);
    return result.ok ? this.one(context, followScreen) : refusedScreen(result);
  }
}

interface OwnFollow {
  readonly follow: Follow;
  readonly follower: Follower;
  readonly tier: Tier;
  /** The page of a followed market; null for another subject. */
  readonly address: string | null;
}

function keyOf({ customer }: StepContext, id: string): string {
  return `${customer.id}:${id}`;
}

function refusedOr(refusal: Exclude<FollowResult, { ok: true }>, id: string): Screen {
  if (refusal.reason !== 'bad_nickname') return refusedScreen(refusal);
  return plainScreen(
    'bad_nickname',
    [`A name has at most ${refusal.limit} characters, fits on one line, and is not a key. Send me another.`],
    [[{ label: 'Keep it as it is', action: `follow_show:${id}` }]],
    { action: `follow_name_to:${id}`, label: 'Name' },
  );
}

function listScreen(follower: Follower, tier: Tier, wanted: number): Screen {
  const { follows } = follower;
  const pages = Math.ceil(follows.length / PER_PAGE);
  const page = Math.min(Math.max(1, wanted), pages);
  const shown = follows.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const paused = new Set(pausedByTier(follower, tier).map(({ id }) => id));
  const more = paused.size === 0 ? [] : [tierPausedWords(paused.size)];
  const where = pages > 1 ? ` Page ${page} of ${pages}.` : '';
  const turn = (label: string, to: number): Button[] =>
    to >= 1 && to <= pages ? [{ label, action: `follows:${to}` }] : [];
  const rows = [shown.slice(0, 4), shown.slice(4)].map((row) =>
    row.map((follow) => ({
      label: cutText(nameOf(follow), LABEL_LENGTH),
      action: `follow_show:${follow.id}`,
    })),
  );
  return plainScreen(
    'follows',
    [
      [
        { bold: `You follow ${follows.length}.` },
        ` ${TIER_WORDS[tier]} allows ${FOLLOW_LIMITS[tier]}.${where}`,
      ],
      ...shown.map((follow) => entry(follow, stateWords(follow, paused.has(follow.id)))),
      ...more,
    ],
    [
      ...rows.filter((row) => row.length > 0),
      [...turn('Back', page - 1), ...turn('More', page + 1), { label: 'Follow more', action: 'follow' }],
      [SETTINGS_BUTTON, MENU_BUTTONS],
    ],
  );
}

function tierPausedWords(count: number): string {
  const which = count === 1 ? 'The newest is' : `The ${count} newest are`;
  return `${which} paused, not deleted, until you get a Pro key or remove others.`;
}

function entry(follow: Follow, state: string): Paragraph {
  const what = follow.nickname === null ? '' : ` · ${cutText(subjectWords(follow.subject), NAME_LENGTH)}`;
  return [{ bold: nameOf(follow) }, `${what}\n${state}`];
}

function stateWords({ mode, isPaused }: Follow, isPausedByTier: boolean): string {
  if (isPaused) return 'paused';
  return isPausedByTier ? 'paused by the limit' : MODE_WORDS[mode];
}

function followScreen({ follow, follower, tier, address }: OwnFollow): Screen {
  const { id, mode, isPaused, subject, nickname } = follow;
  const isPausedByTier = pausedByTier(follower, tier).some((other) => other.id === id);
  const modes = FOLLOW_MODES.filter((other) => other !== mode).map((other) => ({
    label: MODE_LABELS[other],
    action: `follow_mode:${id}:${other}`,
  }));
  const edit = subject.kind === 'filter' ? [{ label: 'Change the filter', action: `follow_edit:${id}` }] : [];
  const pause = isPaused
    ? { label: 'Resume', action: `follow_resume:${id}` }
    : { label: 'Pause', action: `follow_pause:${id}` };
  return plainScreen(
    'follow',
    [
      [{ bold: nickname ?? 'You follow' }, '\n', subjectSpan(follow, address)],
      `${capitalised(stateWords(follow, isPausedByTier))}. Followed since ${utcDay(follow.createdAt)}.`,
      ...(isPausedByTier
        ? [
            `${TIER_WORDS[tier]} allows ${FOLLOW_LIMITS[tier]}, the oldest first: this one continues with a Pro key or when you remove others.`,
          ]
        : []),
    ],
    [
      [{ label: nickname === null ? 'Name it' : 'Rename', action: `follow_name:${id}` }, ...edit],
      modes,
      [pause, { label: 'Remove', action: `follow_remove:${id}` }],
      [FOLLOWS_BUTTON, MENU_BUTTONS],
    ],
  );
}

function subjectSpan({ subject }: Follow, address: string | null): TextSpan {
  const text = cutText(subjectWords(subject), 200);
  const link = subject.kind === 'wallet' ? walletAddress(subject.wallet) : address;
  return link === null ? text : { link, text };
}

function askName({ follow }: OwnFollow): Screen {
  return plainScreen(
    'ask_nickname',
    [
      [
        'What should I call ',
        { bold: nameOf(follow) },
        `? Send me a name of at most ${FOLLOWER_LIMITS.nicknameLength} characters.`,
      ],
    ],
    [
      [
        ...(follow.nickname === null ? [] : [{ label: 'No name', action: `follow_name_to:${follow.id}:` }]),
        { label: 'Keep it as it is', action: `follow_show:${follow.id}` },
      ],
    ],
    { action: `follow_name_to:${follow.id}`, label: 'Name' },
  );
}

function askEdit({ follow }: OwnFollow): Screen {
  return plainScreen(
    'ask_filter',
    [
      ['The filter is: ', subjectWords(follow.subject)],
      ['Send me the new one, for example ', { code: 'politics score 60 over $5000' }],
    ],
    [[{ label: 'Keep it as it is', action: `follow_show:${follow.id}` }]],
    askFilter(follow.id),
  );
}
