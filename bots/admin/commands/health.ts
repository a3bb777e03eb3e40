import { cutText, timeSpan, utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { AuditEntry } from '../../../src/core/operations/audit-log.ts';
import type { JobRun } from '../../../src/core/operations/job-run-store.ts';
import type { OperatorAlarm } from '../../../src/core/operations/operator-alarm.ts';
import { isAlive, type WorkerReport } from '../../../src/core/operations/worker-report.ts';
import type { Paragraph } from '../../shared/screen.ts';
import { type ConsoleCommand, commandButton, screenOf } from '../command.ts';

const SHOWN = { buttons: 4, remedies: 6, acts: 4 } as const;
const ACT_LENGTH = 100;

export const healthCommand: ConsoleCommand = {
  usage: 'health',
  description: 'How the service is doing: feed, jobs, deliveries, bots, pauses, and operators’ last acts',
  async run(_, { database, jobNames, clock }) {
    const now = clock.now();
    const [worker, alarms, paused, runs, webhooks, waiting, messages, acts] = await Promise.all([
      database.worker.get(),
      database.operatorAlarms.list(),
      database.pauses.list(),
      database.jobRuns.latest(),
      database.webhooks.totals(),
      database.deliveries.countPending(),
      database.chat.counts(now - DAY_MS),
      database.audit.list({ limit: SHOWN.acts }),
    ]);
    const body = [
      worker === null ? ['No service runs on this database.'] : workerParagraph(worker, now),
      listed('Alarms', alarms.flatMap(alarmWords)),
      listed('Jobs', jobLines(jobNames, runs)),
      [
        { bold: 'Outgoing' },
        `\nwebhook deliveries waiting: ${waiting}, webhooks paused: ${webhooks.paused} of ${webhooks.webhooks}`,
        `\nchat messages pending: ${messages.pending}, sending: ${messages.sending}, failed in 24 h: ${messages.failed}`,
        messages.unknown === 0 ? '' : `, outcome unknown: ${messages.unknown}`,
      ],
      listed(
        'Paused',
        paused.map(({ name, at, by }) => `${name} since ${utcMinute(at)} by ${by}`),
        'nothing',
      ),
      listed('Operators', acts.map(actLine)),
    ];
    const resume = paused
      .slice(0, SHOWN.buttons)
      .map(({ name }) => [commandButton(`Resume ${name}`, `resume ${name}`)]);
    return screenOf('health', body, [...resume, [commandButton('Look again', 'health')]]);
  },
};

function listed(heading: string, lines: readonly string[], none = 'none'): Paragraph {
  return [{ bold: heading }, `\n${lines.length === 0 ? none : lines.join('\n')}`];
}

function actLine({ at, actor, command, args, outcome }: AuditEntry): string {
  const line = cutText(`${command} ${args}`.trim(), ACT_LENGTH);
  return `${utcMinute(at)} ${actor}: ${line}, ${cutText(outcome, ACT_LENGTH)}`;
}

function workerParagraph(report: WorkerReport, now: number): Paragraph {
  const { owner, address, at, checks } = report;
  const age = timeSpan(now - at);
  const state = isAlive(report, now) ? `${age} ago` : `silent for ${age}: it may be gone`;
  return [
    { bold: address },
    ` ${processName(owner)}, ${state}`,
    ...checkLines(checks).map((line) => `\n${line}`),
  ];
}

/** `vm/1234` of `vm.BOOT.NAMESPACE/1234/RUN`: the rest is for programs. */
function processName(owner: string): string {
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  return owner.replace(new RegExp(`\\.${uuid}[^/]*/`), '/').replace(new RegExp(`/${uuid}$`), '');
}

function jobLines(names: readonly string[], runs: readonly JobRun[]): readonly string[] {
  const all = new Set([...names, ...runs.map(({ job }) => job)]);
  return [...all].map((name) => `${name}: ${runText(runs.find(({ job }) => job === name))}`);
}

function runText(run: JobRun | undefined): string {
  if (run === undefined) return 'never ran';
  const begun = utcMinute(run.startedAt);
  if (run.endedAt === null) return `runs since ${begun}`;
  return `${begun}${run.isFailed ? ', failed' : ''}${run.outcome === null ? '' : `, ${run.outcome}`}`;
}

function alarmWords({ name, isRaised, since, sentence }: OperatorAlarm): readonly string[] {
  return isRaised ? [`${name.replaceAll('_', ' ')} since ${utcMinute(since)}: ${sentence}`] : [];
}

const LINE_LENGTH = 160;
const REMEDY_LENGTH = 300;
/** A larger number is a time: no check counts that far. */
const FIRST_MOMENT = Date.UTC(2020);

interface Check {
  readonly details?: {
    readonly missing?: readonly { readonly remedy: string }[];
  };
}

/** Checks as lines: `database: ok`, `ingest: state running, lag 2`, `missing: make the bot …`. */
function checkLines(checks: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const { details, ...fields } = typeof check === 'object' && check !== null ? (check as Check) : {};
    const { missing = [] } = details ?? {};
    const said = words(details === undefined ? check : fields);
    const remedies = missing.map(({ remedy }) => cutText(`missing: ${remedy}`, REMEDY_LENGTH));
    const more = remedies.length - SHOWN.remedies;
    return [
      cutText(`${name}: ${said}`, LINE_LENGTH),
      ...remedies.slice(0, SHOWN.remedies),
      ...(more > 0 ? [`… and ${more} more: see /readyz`] : []),
    ];
  });
}

function words(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(words).join(', ');
  if (typeof value === 'number' && value > FIRST_MOMENT) return utcMinute(value);
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  const told = entries.filter(([, inner]) => inner !== null);
  return (told.length === 0 ? entries : told)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${words(inner)}`)
    .join(', ');
}
