import { TIERS } from '../../../src/core/accounts/tier.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import type { FollowCounts } from '../../../src/core/follow/follower.ts';
import type { AuditEntry } from '../../../src/core/operations/audit-log.ts';
import type { PausableName } from '../../../src/core/operations/pause-flags.ts';
import { type Paragraph, shortened } from '../../shared/screen.ts';
import { type ConsoleCommand, done, quote, screenOf, wholeNumber } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

export const statsCommand: ConsoleCommand = {
  usage: 'stats',
  description: 'Totals and today’s figures: customers, keys, follows, alerts, calls, messages',
  async run(_, { customers, database, alerts, clock }) {
    const now = clock.now();
    const dayStart = now - (now % DAY_MS);
    const day = new Date(now).toISOString().slice(0, 10);
    const [people, keys, followers, ledger, calls, webhooks, messages] = await Promise.all([
      customers.count(dayStart),
      database.operatorReads.keysByTier(now),
      database.followers.counts(),
      alerts.stats({ dayStart }),
      database.operatorReads.callsOn(day),
      database.operatorReads.webhookTotals(),
      database.chat.counts(now - DAY_MS),
    ]);
    const byTier = TIERS.map((tier) => `${tier} ${figure(keys[tier])}`).join(', ');
    const states = Object.entries(messages).filter(([, count]) => count > 0);
    const { totalResolved, totalWon } = ledger;
    const share = totalResolved === 0 ? '' : ` (${((totalWon / totalResolved) * 100).toFixed(1)} %)`;
    return screenOf('stats', [
      [{ bold: `Figures of ${day}, UTC` }],
      [
        { bold: 'Customers' },
        ` ${figure(people.total)}, ${figure(people.new)} of them new today\n`,
        { bold: 'Keys' },
        ` that work: ${byTier}\n`,
        { bold: 'Calls' },
        ` today ${figure(calls)}`,
      ],
      followsParagraph(followers),
      [
        { bold: 'Alerts' },
        ` ${figure(ledger.totalAlerts)}, ${figure(ledger.alertsToday)} of them today (mean score `,
        `${Math.round(ledger.avgScoreToday)}, ${figure(ledger.clustersToday)} clusters)\n`,
        { bold: 'Settled' },
        ` ${figure(totalResolved)}, right ${figure(totalWon)}${share}`,
      ],
      [
        { bold: 'Webhooks' },
        ` ${figure(webhooks.webhooks)}, paused ${figure(webhooks.paused)}; delivered ${figure(webhooks.delivered)}, `,
        `failed ${figure(webhooks.failed)}, waiting ${figure(webhooks.waiting)}\n`,
        { bold: 'Chat messages of 24 h' },
        ` ${states.map(([state, count]) => `${state} ${figure(count)}`).join(', ') || 'none'}`,
      ],
    ]);
  },
};

function followsParagraph({ people, follows, platforms }: FollowCounts): Paragraph {
  const { wallet, market, filter } = follows;
  const byPlatform = Object.entries(platforms).map(([platform, count]) => `${platform} ${figure(count)}`);
  return [
    { bold: 'Follows' },
    ` wallets ${figure(wallet)}, markets ${figure(market)}, rules ${figure(filter)}\n`,
    { bold: 'Followers' },
    ` ${figure(people)}: ${byPlatform.join(', ')}`,
  ];
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}

const AUDIT_SHOWN = { byDefault: 8, max: 20, characters: 100 } as const;

export const auditCommand: ConsoleCommand = {
  usage: 'audit [N]',
  description: 'What operators did, newest first',
  async run(argument, { database }) {
    const { byDefault, max } = AUDIT_SHOWN;
    const limit = argument === '' ? byDefault : wholeNumber(argument, 1, max);
    if (limit === null) return { wrong: `N is a whole number from 1 to ${max}.` };
    const entries = await database.audit.list({ limit });
    if (entries.length === 0) return screenOf('audit', [['Nothing has been done yet.']]);
    return screenOf('audit', [[{ bold: 'Audit log' }], ...entries.map(entryParagraph)]);
  },
};

function entryParagraph({ seq, at, actor, command, args, outcome }: AuditEntry) {
  const line = shortened(`${command} ${args}`.trim(), AUDIT_SHOWN.characters);
  const end = shortened(outcome, AUDIT_SHOWN.characters);
  return [`#${seq} ${utcMinute(at)} ${actor}\n`, { code: line }, `\n${end}`];
}

export const pauseCommand: ConsoleCommand = {
  usage: 'pause NAME',
  description: 'Stops the feed, a channel or a job for a while: feed, channel:telegram, job:…',
  async run(text, deps, by) {
    const { pauses } = deps.database;
    const names = pausableNames(deps);
    const name = pausableNamed(names, text);
    if (name === undefined) return notPausable(text, names);
    return {
      async act() {
        if (await pauses.pause({ name, at: deps.clock.now(), by }))
          return done(`${name} is paused until it is resumed.`);
        const pause = (await pauses.list()).find((one) => one.name === name);
        const since = pause === undefined ? '' : `, since ${utcMinute(pause.at)} by ${pause.by}`;
        return { refused: `${name} is paused already${since}.` };
      },
    };
  },
};

export const resumeCommand: ConsoleCommand = {
  usage: 'resume NAME',
  description: 'Resumes what is paused',
  async run(text, deps) {
    const { pauses } = deps.database;
    const names = pausableNames(deps);
    // The service itself pauses `clock`.
    const paused = (await pauses.list()).map(({ name }) => name);
    const name = pausableNamed(names, text) ?? paused.find((one) => one === text);
    if (name === undefined) return notPausable(text, names);
    return {
      act: async () =>
        (await pauses.resume(name)) ? done(`${name} is resumed.`) : { refused: `${name} is not paused.` },
    };
  },
};

function pausableNames({ jobNames }: ConsoleDeps): readonly PausableName[] {
  const channels = CHANNELS.map((channel) => `channel:${channel}` as const);
  return ['feed', ...channels, ...jobNames.map((job) => `job:${job}` as const)];
}

function pausableNamed(names: readonly PausableName[], text: string): PausableName | undefined {
  return names.find((name) => name === text.toLowerCase());
}

function notPausable(text: string, names: readonly PausableName[]) {
  return { refused: `${quote(text)} cannot be paused. These can: ${names.join(', ')}.` };
}

export const runJobCommand: ConsoleCommand = {
  usage: 'run JOB [now]',
  description: 'Runs a job if it is due; with “now”, runs its newest period again',
  async run(argument, deps) {
    const { jobNames, runJob } = deps;
    const [text = '', how = '', ...more] = argument.split(/\s+/);
    if (text === '') return { wrong: 'JOB is missing.' };
    const isForced = /^(--)?now$/i.test(how);
    if ((how !== '' && !isForced) || more.length > 0)
      return { wrong: 'Only “now” may follow JOB: it runs the job even if it is not due.' };
    const name = text.replace(/^job:/, '');
    if (!jobNames.includes(name))
      return { refused: `${quote(name)} is not a job. Jobs: ${jobNames.join(', ')}.` };
    return {
      needs: 'jobs',
      async act() {
        const result = (await runJob?.(name, { isForced })) ?? null;
        if (result === null) return { refused: `${name} does not run in this process.` };
        if (result.isRun) {
          const { period, outcome, isFailed } = result;
          if (isFailed) return { refused: `${name} for ${period} failed: ${outcome}` };
          return done(`${name} for ${period}: ${outcome}`);
        }
        if (result.reason === 'paused') return { refused: `${name} is paused: resume it first.` };
        return { refused: await notDueWords(deps, name) };
      },
    };
  },
};

async function notDueWords({ database }: ConsoleDeps, name: string): Promise<string> {
  const last = (await database.jobRuns.latest()).find(({ job }) => job === name);
  if (last === undefined) return `${name} is not due.`;
  const { period, startedAt, endedAt, outcome } = last;
  if (endedAt === null)
    return `${name} is not due: another process has been running it since ${utcMinute(startedAt)}, for ${period}.`;
  return `${name} is not due: ${period} is done (${utcMinute(endedAt)}: ${outcome ?? 'done'}). “run ${name} now” runs it once more.`;
}
