import type { Visitor } from '../../../src/core/customers/customer.ts';
import type { Conversation, Move } from '../conversation.ts';
import type { Screen } from '../screen.ts';
import { unknownCommand } from '../unknown-command.ts';
import { about } from './about.ts';
import { bannedScreen, sorryScreen, staleScreen } from './buttons.ts';
import { chooseTier } from './choose-tier.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import { erase } from './erase.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { help } from './help.ts';
import { hotMarkets } from './hot-markets.ts';
import { issue } from './issue.ts';
import { lastAlerts } from './last-alerts.ts';
import { linkAccounts } from './link-accounts.ts';
import { createMembershipGate } from './membership-gate.ts';
import { myKeys } from './my-keys.ts';
import { createPendingQuestions } from './pending-questions.ts';
import { rename } from './rename.ts';
import { revoke } from './revoke.ts';
import { rotate } from './rotate.ts';
import { start } from './start.ts';
import { trial } from './trial.ts';

/** The name of a step with what is behind it. `unknown`: a command or a text that means nothing here. */
interface RequestedStep {
  readonly step: string;
  readonly argument: string;
}

/** What somebody who is banned may still do; removing their data does not end the ban. */
const OPEN_STEPS: ReadonlySet<string> = new Set(['hot', 'delete', 'delete_yes']);
/** What a platform lets an action hold. */
const ACTION = /^[\x20-\x7e]{1,60}$/;

/** Memory: a line for each of the 10,000 people asked for a text last. */
export function createConversation(deps: ConversationDeps): Conversation {
  const { customers, clock, logger } = deps;
  const confirmations = createConfirmations(deps);
  const questions = createPendingQuestions(clock);
  const features = featuresOf(deps, confirmations);
  const commands = features.flatMap((feature) => feature.commands);
  const steps = new Map(features.flatMap((feature) => Object.entries(feature.steps)));

  function wishOf(visitor: Visitor, move: Move): RequestedStep | null {
    const asked = questions.take(visitor);
    if (move.kind === 'tap') return split(move.action);
    if (move.kind === 'text') return asked === null ? null : split(`${asked}:${move.text}`);
    const isKnown = commands.some(({ name }) => name === move.name);
    return isKnown ? { step: move.name, argument: move.argument } : null;
  }

  async function answer(visitor: Visitor, wish: RequestedStep | null): Promise<Screen> {
    const customer = await customers.visit(visitor);
    if (customer.bannedAt !== null && !OPEN_STEPS.has(wish?.step ?? '')) return bannedScreen();
    if (wish === null) return unknownCommand();
    const step = steps.get(wish.step);
    return step === undefined ? staleScreen() : step({ visitor, customer, argument: wish.argument });
  }

  return {
    commands,
    async move(visitor, move) {
      const wish = wishOf(visitor, move);
      try {
        const screen = await answer(visitor, wish);
        if (screen.ask !== null) questions.set(visitor, screen.ask.action);
        return screen;
      } catch (error) {
        const step = wish !== null && steps.has(wish.step) ? wish.step : 'unknown';
        logger.error({ err: error, platform: visitor.platform, step }, 'a move in the chat failed');
        return sorryScreen(retryOf(wish));
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
    chooseTier(deps, membershipGate),
    issue(deps, { membershipGate, confirmations }),
    myKeys(deps),
    rename(deps),
    rotate(deps, confirmations),
    revoke(deps),
    trial(deps),
    lastAlerts(deps),
    hotMarkets(deps),
    about(deps),
    linkAccounts(deps),
    erase(deps),
  ];
  return [
    ...features,
    help(
      deps,
      features.flatMap((feature) => feature.commands),
    ),
  ];
}

function split(action: string): RequestedStep {
  const end = action.indexOf(':');
  return end < 0
    ? { step: action, argument: '' }
    : { step: action.slice(0, end), argument: action.slice(end + 1) };
}

/** The same again where a button can hold it; else the menu. */
function retryOf(wish: RequestedStep | null): string {
  if (wish === null) return 'start';
  const action = wish.argument === '' ? wish.step : `${wish.step}:${wish.argument}`;
  return ACTION.test(action) ? action : 'start';
}
