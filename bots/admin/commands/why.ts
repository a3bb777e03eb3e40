import type { Alert } from '../../../src/core/alerts/alert.ts';
import { scoreBandOf, typeInSentence } from '../../../src/core/alerts/alert-names.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { capitalised, dollars, oneLine, scoreBar, utcMinute } from '../../../src/core/base/text/formats.ts';
import type { PostMessage } from '../../../src/core/chat/chat-message.ts';
import { postsShowing } from '../../../src/core/chat/withdraw.ts';
import { marketAddress } from '../../../src/core/trades/other-sites.ts';
import { logHeadSpan } from '../../shared/log-spans.ts';
import { walletSpans } from '../../shared/posts/alert-post.ts';
import type { Paragraph } from '../../shared/screen.ts';
import { alertNumber, BAD_ALERT_ID, type ConsoleCommand, commandButton, screenOf } from '../command.ts';

export const whyCommand: ConsoleCommand = {
  usage: 'why ALERT_ID',
  description: 'How an alert came about, and where it went',
  async run(argument, { alerts, database }) {
    const id = alertNumber(argument);
    if (id === null) return BAD_ALERT_ID;
    const [alert, posts] = await Promise.all([alerts.byId(id), postsShowing(database.chat, id)]);
    if (alert === null) return screenOf('why', [[`There is no alert ${id}.`]]);
    const hidden = await hiddenAddresses(database.hiddenWallets);
    const exit = (await database.exits.ofThreads([alert.threadId])).at(-1) ?? null;
    const body = [
      ...alertParagraphs(alert, hidden.has(alert.wallet)),
      clocks(alert),
      resolution(alert, exit),
      channels(alert, posts),
      ...withdrawal(alert),
    ];
    const isOut = posts.some(({ state }) => state === 'sent' || state === 'pending');
    return screenOf('why', body, isOut ? [[commandButton('Withdraw its posts', `withdraw ${id}`)]] : []);
  },
};

function alertParagraphs(alert: Alert, isWalletHidden: boolean): Paragraph[] {
  const { id, threadId, supersedes, type, score, category, wallet, details } = alert;
  const parts = details.reasons.flatMap(({ factor, points, max, note }) => [
    '\n',
    { code: `${String(points).padStart(3)} of ${String(max).padStart(2)} ` },
    ` ${factor}: ${note}`,
  ]);
  return [
    [
      { bold: `Alert ${id}: ${typeInSentence(type)}` },
      '\n',
      { link: marketAddress(alert), text: oneLine(alert.eventTitle) },
    ],
    [
      `${capitalised(describeTrade(alert))}\nCategory ${category}\n`,
      ...walletSpans('Wallet', { wallet, text: wallet, isHidden: isWalletHidden }),
      details.role == null ? '' : `, ${details.role}`,
      `\nThread ${threadId}, ${supersedes === null ? 'its first alert' : `follows alert ${supersedes}`}`,
    ],
    [
      { bold: `Score ${score} of 100, ${scoreBandOf(score).word}` },
      ` ${scoreBar(score)}, rules version ${details.ruleVersion}`,
      ...parts,
    ],
  ];
}

function clocks({ tradedAt, detectedAt, publishedAt, isHistory, log }: Alert): Paragraph {
  const lines = [
    `Traded ${exact(tradedAt)}`,
    `Detected ${exact(detectedAt)}, ${seconds(detectedAt - tradedAt)} later`,
    `Published ${exact(publishedAt)}, ${seconds(publishedAt - tradedAt)} after the trade`,
    ...(isHistory ? ['From before the run began: in the archive only'] : []),
  ];
  return [lines.join('\n'), '\nlog ', logHeadSpan(log)];
}

function resolution(alert: Alert, exit: Exit | null): Paragraph {
  const result = describeResult(alert, exit);
  if (result === null || alert.resolution === null) return ['Its market has not settled.'];
  return [`${result}\nPayout: ${dollars(alert.resolution.payout)} per share`];
}

function withdrawal({ withdrawn }: Alert): Paragraph[] {
  if (withdrawn === null) return [];
  return [[`Withdrawn ${utcMinute(withdrawn.at)}: ${withdrawn.reason ?? 'no reason'}`]];
}

function channels({ id, isHistory }: Alert, posts: readonly PostMessage[]): Paragraph {
  if (posts.length > 0) return [posts.map((post) => postLine(post, id)).join('\n')];
  return [isHistory ? 'Not posted in any channel: it is history.' : 'Not posted in any channel.'];
}

function postLine(post: PostMessage, alertId: number): string {
  const { recipient, state, attempts, error, sentAt, dueAt, facts } = post;
  const when = sentAt === null ? `due ${utcMinute(dueAt)}` : utcMinute(sentAt);
  const tries = attempts > 1 || error !== null ? `, ${attempts} tries` : '';
  const whose = facts.alertId === alertId ? '' : `, the post of alert ${facts.alertId}`;
  return `${recipient}: ${state}, ${when}${tries}${error === null ? '' : ` (${error})`}${whose}`;
}

function exact(at: number): string {
  return `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} UTC`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
