import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { ThreadExits } from '../../../src/core/alerts/exits/exit-reader.ts';
import { positionWords } from '../../../src/core/alerts/exits/exit-words.ts';
import { hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { shortWallet } from '../../../src/core/base/text/formats.ts';
import { walletAddress } from '../../../src/core/trades/other-sites.ts';
import { alertPost } from '../posts/alert-post.ts';
import { alertButtons } from '../posts/personal-alert.ts';
import { type Paragraph, plainScreen, type Screen, type TextSpan } from '../screen.ts';
import { ABOUT_ALERTS_BUTTON, LAST_ALERTS_BUTTON, MENU_BUTTONS, UPGRADE_BUTTON } from './buttons.ts';
import type { ConversationDeps, Feature, StepContext } from './feature.ts';
import { alertDelay } from './last-alerts.ts';
import { delayWords } from './words.ts';

/** Members of a cluster that are named; Discord cuts a message at 2,000 characters. */
const MEMBERS_SHOWN = 5;

export function alertDetails(deps: ConversationDeps): Feature {
  async function show({ customer, argument }: StepContext): Promise<Screen> {
    if (argument.trim() === '') return askScreen('Which alert? Send me its number.');
    const id = alertIdOf(argument);
    if (id === null) return askScreen('An alert has a number, such as 123. Send me only the number.');
    const delayMs = await alertDelay(customer, deps);
    const until = delayMs === 0 ? Number.POSITIVE_INFINITY : deps.clock.now() - delayMs;
    const alert = await deps.alerts.visible(id, until);
    // An alert inside the delay does not exist for this customer: the answer must not reveal it.
    if (alert === null) return notFoundScreen(id, delayMs, await newestVisible(delayMs));
    const hidden = await hiddenAddresses(deps.hiddenWallets);
    // The page comes with the free delay, also for a customer who sees the alert earlier.
    const hasPage = alert.createdAt <= deps.clock.now() - deps.freeDelayMs;
    const position = await deps.exits.ofAlert(alert, until);
    return alertScreen(alert, { hidden, position, siteUrl: hasPage ? deps.siteUrl : null });
  }

  async function newestVisible(delayMs: number): Promise<Alert | null> {
    const until = delayMs === 0 ? {} : { until: deps.clock.now() - delayMs };
    const [newest] = await deps.alerts.latest({ limit: 1, ...until });
    return newest ?? null;
  }

  const argument = { name: 'number', description: 'The number of the alert, for example 123' };
  return {
    commands: [{ name: 'alert', description: 'One alert: reasons, wallets and result', argument }],
    steps: { alert: show },
  };
}

/** `123`, `#123` or `alert_123`, the payload of a link; null for other texts. */
export function alertIdOf(text: string): number | null {
  const [, digits] = /^(?:#|alert[_ ]?)?(\d{1,15})$/i.exec(text.trim()) ?? [];
  const id = Number(digits);
  return id >= 1 ? id : null;
}

interface AlertContext {
  readonly hidden: ReadonlySet<string>;
  readonly position: ThreadExits;
  readonly siteUrl: string | null;
}

/** The customer's view of one alert; `hidden`: wallets whose address is not shown. `siteUrl`: null if it has no page. */
function alertScreen(alert: Alert, { hidden, position, siteUrl }: AlertContext): Screen {
  const exit = position.exits.at(-1) ?? null;
  const isWalletHidden = hidden.has(alert.wallet);
  const state = { postedAt: null, isUpdated: false, isWalletHidden, sameWallet: [], exit };
  const post = alertPost(alert, state, { channel: null, profileUrl: null, siteUrl });
  const [heading = [], ...rest] = post.body;
  const members = alert.details.wallets ?? [];
  const body: Paragraph[] = [
    [{ bold: `Alert ${alert.id}` }, '\n', ...heading],
    ...rest,
    ...(exit === null ? [[positionWords(position)]] : []),
    ...(alert.resolution === null ? [['Its market has not settled yet.']] : []),
    ...(members.length === 0 ? [] : [memberParagraph(members, hidden)]),
  ];
  const [, follow = []] = alertButtons(alert, { isWalletHidden, siteUrl });
  const ways = [...post.buttons.flat(), ABOUT_ALERTS_BUTTON];
  return plainScreen('alert', body, [follow, ways, [LAST_ALERTS_BUTTON, MENU_BUTTONS]]);
}

function memberParagraph(wallets: readonly string[], hidden: ReadonlySet<string>): Paragraph {
  const open = wallets.filter((wallet) => !hidden.has(wallet));
  const shown = open.slice(0, MEMBERS_SHOWN);
  const links = shown.flatMap((wallet, index): TextSpan[] => [
    index === 0 ? ' ' : ', ',
    { link: walletAddress(wallet), text: shortWallet(wallet) },
  ]);
  const [more, hiddenCount] = [open.length - shown.length, wallets.length - open.length];
  const rest = [
    ...(more === 0 ? [] : [`${more} more`]),
    ...(hiddenCount === 0 ? [] : [`${hiddenCount} hidden ${hiddenCount === 1 ? 'wallet' : 'wallets'}`]),
  ];
  const separator = shown.length === 0 ? ' ' : ', ';
  return ['Members:', ...links, ...(rest.length === 0 ? [] : [`${separator}${rest.join(', ')}`])];
}

function askScreen(words: string): Screen {
  return plainScreen(
    'ask_alert',
    [words, 'The number is in each post and in the list of the last alerts.'],
    [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
    { action: 'alert', label: 'Number of the alert' },
  );
}

function notFoundScreen(id: number, delayMs: number, newest: Alert | null): Screen {
  const known =
    newest === null ? 'There are no alerts yet.' : `The newest you can see is alert ${newest.id}.`;
  const delay =
    delayMs === 0 ? [] : [`You see alerts ${delayWords(delayMs)}; with a Pro key you see them in real time.`];
  return plainScreen(
    'no_such_alert',
    [[{ bold: `I have no alert ${id} for you.` }, ` ${known}`], ...delay],
    [[LAST_ALERTS_BUTTON, ...(delayMs === 0 ? [] : [UPGRADE_BUTTON]), MENU_BUTTONS]],
  );
}
