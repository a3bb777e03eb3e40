import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { keysIn } from '../../../src/core/accounts/keys/key-text.ts';
import { nearestName } from '../../../src/core/base/text/nearest-name.ts';
import type { ChatCommand, Conversation, Move } from '../conversation.ts';
import { type Screen, unknownCommand } from '../screen.ts';
import { about, ownId, privacy } from './about.ts';
import { alertDetails } from './alert-details.ts';
import { bannedScreen, sorryScreen, staleScreen } from './buttons.ts';
import { chooseTier, createMembershipGate } from './choose-tier.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { hotMarkets, serviceStatus, trackRecord } from './figures.ts';
import { addFollow } from './follow/add-follow.ts';
import { followList } from './follow/follow-list.ts';
import { afterPause } from './follow/follow-reads.ts';
import { followSettings } from './follow/follow-settings.ts';
import { mute } from './follow/mute.ts';
import { HINT_STEP, help, hint } from './help.ts';
import { Confirmations, issue } from './issue.ts';
import { lastAlerts } from './last-alerts.ts';
import { myKeys, rename, revoke } from './my-keys.ts';
import { PASTED_KEY_STEP, pastedKey } from './own-key.ts';
import { erase } from './privacy.ts';
import { CONTENT_STEP, cancel, Questions, textOnly } from './questions.ts';
import { rotate } from './rotate.ts';
import { linkedAction, start } from './start.ts';
import { upgrade } from './upgrade.ts';

interface RequestedStep {
  readonly step: string;
  readonly argument: string;
}

/** Steps open to banned customers; erasing their data does not lift the ban. */
const OPEN_STEPS: ReadonlySet<string> = new Set(['hot', 'id', 'privacy', 'delete', 'delete_yes']);
/** Pasted to follow something: a wallet's address, a link, an alert's number. */
const ADDRESS = /^(?:0x[0-9a-f]{40}\b|https?:\/\/\S|(?:www\.)?polymarket\.com\/|#\d)/i;
/** Other names of commands. */
const ALIASES = new Map([
  ['menu', 'start'],
  ['following', 'follows'],
  ['unfollow', 'follows'],
  ['trial', 'upgrade'],
]);
/** The step for an unknown command; its argument is the name. */
const UNKNOWN_STEP = 'unknown';
/** Valid text of an action on all platforms. */
const ACTION = /^[\x20-\x7e]{1,60}$/;

export function createConversation(deps: ConversationDeps): Conversation {
  const { customers, follows, logger } = deps;
  const confirmations = new Confirmations(deps);
  const questions = new Questions(deps);
  const features = featuresOf(deps, confirmations);
  const commands = features.flatMap(({ commands = [] }) => commands);
  const names = [...commands.map(({ name }) => name), ...ALIASES.keys()];
  const steps = new Map(features.flatMap((feature) => Object.entries(feature.steps)));
  steps.set(UNKNOWN_STEP, ({ argument }) => unknownCommand(nearestName(argument, names)));

  function requestedStep(move: Move, asked: string | null): RequestedStep {
    if (move.kind === 'content') return { step: CONTENT_STEP, argument: '' };
    if (move.kind === 'tap') return split(move.action);
    const text = move.kind === 'text' ? move.text : move.argument;
    if (keysIn(text).length > 0) return { step: PASTED_KEY_STEP, argument: text };
    if (move.kind === 'command')
      return commandStep(move, asked ?? '', commands) ?? { step: UNKNOWN_STEP, argument: move.name };
    return asked === null ? textStep(text, commands) : split(`${asked}:${text}`);
  }

  async function answer(visitor: Visitor, requested: RequestedStep): Promise<Screen> {
    const wasUnreachable = await customers.isUnreachable(visitor);
    const customer = await customers.visit(visitor);
    if (customer.bannedAt !== null && !OPEN_STEPS.has(requested.step)) return bannedScreen(deps.contact);
    const step = steps.get(requested.step) ?? staleScreen;
    const screen = await step({ visitor, customer, argument: requested.argument });
    return wasUnreachable ? afterPause(screen, follows, { visitor, customer }) : screen;
  }

  return {
    commands,
    async move(visitor, move) {
      let requested = requestedStep(move, null);
      try {
        const asked = await questions.take(visitor, move);
        requested = requestedStep(move, asked);
        const screen = await answer(visitor, requested);
        await questions.follow(visitor, screen, isAnswer(move, requested) ? asked : null);
        return hasSecret(requested) ? secretScreen(screen) : screen;
      } catch (error) {
        const step = steps.has(requested.step) ? requested.step : 'unknown';
        logger.error({ err: error, platform: visitor.platform, step }, 'chat move failed');
        return hasSecret(requested) ? secretScreen(sorryScreen(step)) : sorryScreen(retryOf(requested));
      }
    },
    async shown({ secret }) {
      if (secret !== null) await confirmations.confirm(secret);
    },
  };
}

function featuresOf(deps: ConversationDeps, confirmations: Confirmations): readonly Feature[] {
  const membershipGate = createMembershipGate(deps);
  const features = [
    start(deps),
    followList(deps),
    addFollow(deps),
    mute(deps),
    followSettings(deps),
    chooseTier(deps, membershipGate),
    issue(deps, { membershipGate, confirmations }),
    myKeys(deps),
    rename(deps),
    rotate(deps, confirmations),
    revoke(deps),
    upgrade(deps),
    lastAlerts(deps),
    alertDetails(deps),
    hotMarkets(deps),
    trackRecord(deps),
    serviceStatus(deps),
    about(deps),
    ownId(),
    privacy(deps),
    erase(deps),
    cancel(),
    textOnly(),
    hint(),
    pastedKey(deps),
  ];
  return [
    ...features,
    help(
      deps,
      features.flatMap(({ commands = [] }) => commands),
    ),
  ];
}

function isAnswer(move: Move, requested: RequestedStep): boolean {
  return move.kind === 'text' && requested.step !== PASTED_KEY_STEP;
}

/** The answer to a message that has a secret of the person. */
function secretScreen(screen: Screen): Screen {
  return { ...screen, removesMessage: true };
}

/** Whether a step was given a key: the person's message with it is deleted, and no button repeats it. */
function hasSecret({ step, argument }: RequestedStep): boolean {
  return step === PASTED_KEY_STEP && argument !== '';
}

/** `asked`: the action of the open question, which `/cancel` ends; empty without one. Null for an unknown command. */
function commandStep(
  { name: given, argument }: Extract<Move, { kind: 'command' }>,
  asked: string,
  commands: readonly ChatCommand[],
): RequestedStep | null {
  const name = ALIASES.get(given) ?? given;
  if (name === 'cancel') return { step: 'cancel', argument: asked };
  if (name === 'start') return split(linkedAction(argument) ?? 'start');
  return commands.some((command) => command.name === name) ? { step: name, argument } : null;
}

/** A text that answers no question. */
function textStep(text: string, commands: readonly ChatCommand[]): RequestedStep {
  const words = text.trim();
  const command = { kind: 'command', name: words.toLowerCase(), argument: '' } as const;
  const step = ADDRESS.test(words) ? 'follow' : HINT_STEP;
  return commandStep(command, '', commands) ?? { step, argument: words };
}

function split(action: string): RequestedStep {
  const end = action.indexOf(':');
  return end < 0
    ? { step: action, argument: '' }
    : { step: action.slice(0, end), argument: action.slice(end + 1) };
}

/** The action of the retry button: the same step where a button can hold it, else the menu. */
function retryOf(requested: RequestedStep): string {
  const action = requested.argument === '' ? requested.step : `${requested.step}:${requested.argument}`;
  return ACTION.test(action) ? action : 'start';
}
