import { cutText, durationWords } from '../../../../src/core/base/text/formats.ts';
import { DAY_MS, HOUR_MS } from '../../../../src/core/base/time/duration.ts';
import { subjectWords } from '../../../../src/core/follow/follow-words.ts';
import { namedWords } from '../../../../src/core/follow/followed-text.ts';
import type { FollowSubject, Mute } from '../../../../src/core/follow/follower.ts';
import { parseDuration, timeIn } from '../../../../src/core/follow/time-text.ts';
import { plainScreen, type Screen } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS, MUTES_BUTTON, staleScreen } from '../buttons.ts';
import { type ConversationDeps, chatCommand, type Feature, type StepContext } from '../feature.ts';
import { NAME_LENGTH, noSubject, refusedScreen } from './add-screens.ts';
import { alertedMarket, FollowReads, personOf } from './follow-reads.ts';

const USUAL_MS = DAY_MS;
const SHOWN = 8;
const LABEL_LENGTH = 24;
const HOW =
  'Send me what to mute and for how long, for example a wallet’s address and 24h, or a market’s link and 7d.';

const EVERYTHING: FollowSubject = { kind: 'filter', filter: {} };
/** Of a mute that only its person ends. */
const NEVER_ENDS = Date.UTC(9999, 0);

const LENGTHS = 'A mute lasts from 1 minute to 30 days: 15m, 1h, 24h, 7d.';
const UNKNOWN = 'I can mute a wallet, a market or all, and that is none of them.';

/** Mutes a wallet or a market for a while, until it expires or is undone. */
export function mute(deps: ConversationDeps): Feature {
  const mutes = new Mutes(deps);
  return {
    commands: [
      {
        name: 'mute',
        description: 'Hear nothing about a wallet, a market or everything for a while',
        argument: { name: 'what', description: 'An address, a link or all, and how long: 15m, 1h, 24h, 7d' },
      },
      chatCommand('stop', 'Mute everything until you undo it'),
    ],
    steps: {
      mute: (context) => mutes.typed(context),
      stop: (context) => mutes.all(context),
      mm: (context) => mutes.marketOfAlert(context),
      mute_for: (context) => mutes.replace(context),
      mute_end: (context) => mutes.end(context),
    },
  };
}

class Mutes {
  readonly #deps: ConversationDeps;
  readonly #reads: FollowReads;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    this.#reads = new FollowReads(deps);
  }

  async typed(context: StepContext): Promise<Screen> {
    const words = context.argument
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) return this.#listed(context);
    const length = parseDuration(words.at(-1) ?? '');
    const text = (length === null ? words : words.slice(0, -1)).join(' ');
    if (text.toLowerCase() === 'all') return this.#put(context, EVERYTHING, length ?? USUAL_MS);
    const [one, ...others] = namedWords(text, this.#reads.ownHosts) ?? [];
    if (length === null && /^\d+[a-z]+$/i.test(words.at(-1) ?? '')) return askMute(LENGTHS);
    if (one === undefined || others.length > 0)
      return askMute(others.length > 0 ? 'One at a time.' : text === '' ? null : UNKNOWN);
    const subject = await this.#reads.subject(one.named, await this.#reads.asker(context.customer));
    return typeof subject === 'string' ? noSubject(subject) : this.#put(context, subject, length ?? USUAL_MS);
  }

  /** Everything, until the person undoes it. */
  async all(context: StepContext): Promise<Screen> {
    const result = await this.#deps.follows.mute(personOf(context), EVERYTHING, NEVER_ENDS);
    return result.ok ? stoppedScreen() : refusedScreen(result);
  }

  /** The button under an alert. */
  async marketOfAlert(context: StepContext): Promise<Screen> {
    const alert = await this.#reads.alertOf(context);
    return 'name' in alert ? alert : this.#put(context, alertedMarket(alert), USUAL_MS);
  }

  /** `UNTIL:7d`: the mute that ends at that time now lasts 7 days from now. */
  async replace(context: StepContext): Promise<Screen> {
    const [until = '', text = ''] = context.argument.split(':');
    const [muted, ms] = [await this.#until(context, until), parseDuration(text)];
    return muted === undefined || ms === null ? staleScreen() : this.#put(context, muted.subject, ms);
  }

  async end(context: StepContext): Promise<Screen> {
    const muted = await this.#until(context, context.argument);
    if (muted === undefined) return staleScreen();
    const result = await this.#deps.follows.unmute(personOf(context), muted.subject);
    if (!result.ok) return refusedScreen(result);
    return plainScreen(
      'unmuted',
      [['You hear about ', { bold: nameOf(muted.subject) }, ' again.']],
      [[MUTES_BUTTON, FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  async #put(context: StepContext, subject: FollowSubject, ms: number): Promise<Screen> {
    const until = this.#deps.clock.now() + ms;
    const result = await this.#deps.follows.mute(personOf(context), subject, until);
    return result.ok ? mutedScreen({ subject, until }, ms, result.follower.zone) : refusedScreen(result);
  }

  /** The mute that ends at this time: a button has no room for the id of a market. */
  async #until(context: StepContext, until: string): Promise<Mute | undefined> {
    const { mutes } = await this.#deps.follows.of(personOf(context));
    return mutes.find((muted) => String(muted.until) === until);
  }

  async #listed(context: StepContext): Promise<Screen> {
    const { mutes, zone } = await this.#deps.follows.of(personOf(context));
    const open = mutes.filter(({ until }) => until > this.#deps.clock.now());
    return open.length === 0 ? askMute('Nothing is muted.') : listScreen(open, zone);
  }
}

function listScreen(mutes: readonly Mute[], zone: string | null): Screen {
  const shown = mutes.slice(0, SHOWN);
  const lines = shown.map(
    ({ subject, until }) =>
      `${nameOf(subject)}: until ${until === NEVER_ENDS ? 'you end it' : timeIn(zone, until)}`,
  );
  const rest = mutes.length - shown.length;
  const ends = shown.map(({ subject, until }) => ({
    label: `End: ${cutText(subjectWords(subject), LABEL_LENGTH)}`,
    action: `mute_end:${until}`,
  }));
  return plainScreen(
    'mutes',
    [[{ bold: 'Muted' }], [...lines, ...(rest === 0 ? [] : [`and ${rest} more`])].join('\n'), HOW],
    [ends.slice(0, 4), ends.slice(4), [FOLLOWS_BUTTON, MENU_BUTTONS]],
    ASK,
  );
}

const ASK = { action: 'mute', label: 'What to mute' };

function askMute(why: string | null): Screen {
  return plainScreen(
    'ask_mute',
    [...(why === null ? [] : [why]), HOW],
    [[FOLLOWS_BUTTON, MENU_BUTTONS]],
    ASK,
  );
}

function nameOf(subject: FollowSubject): string {
  return cutText(subjectWords(subject), NAME_LENGTH);
}

function stoppedScreen(): Screen {
  return plainScreen(
    'stopped',
    [
      [{ bold: 'Everything is muted.' }, ' I send you no alerts, results or lists until you undo it.'],
      'What you follow stays. /delete removes everything that is stored about you.',
    ],
    [[{ label: 'Undo', action: `mute_end:${NEVER_ENDS}` }, FOLLOWS_BUTTON, MENU_BUTTONS]],
  );
}

function mutedScreen({ subject, until }: Mute, ms: number, zone: string | null): Screen {
  const others = [HOUR_MS, DAY_MS, 7 * DAY_MS].filter((length) => length !== ms);
  return plainScreen(
    'muted',
    [
      [{ bold: 'Muted ' }, nameOf(subject), ` for ${durationWords(ms)}.`],
      `You hear nothing about it until ${timeIn(zone, until)}.`,
    ],
    [
      [
        { label: 'Undo', action: `mute_end:${until}` },
        ...others.map((length) => ({
          label: durationWords(length),
          action: `mute_for:${until}:${length / HOUR_MS}h`,
        })),
      ],
      [FOLLOWS_BUTTON, MENU_BUTTONS],
    ],
  );
}
