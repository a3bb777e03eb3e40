import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { type Heartbeat, isAlive } from '../../../src/core/operations/heartbeat.ts';
import type { JobRun } from '../../../src/core/operations/job-run-store.ts';
import type { OperatorAlarm } from '../../../src/core/operations/operator-alarm.ts';
import type { Pause } from '../../../src/core/operations/pause-flags.ts';
import { type Paragraph, shortened } from '../../shared/screen.ts';
import { commandButton, type ReadCommand, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { parseNoArgument } from '../parse-arguments.ts';

const SHOWN = { processes: 6, buttons: 4, remedies: 6 } as const;

export const healthCommand: ReadCommand = {
  kind: 'read',
  name: 'health',
  usage: 'health',
  description: 'How every process stands: feed, jobs, deliveries, bots, and what is paused',
  parse: (argument) => parseNoArgument(argument, show),
};

async function show({ heartbeats, alarms, pauses, jobs, reads, posts, clock }: ConsoleDeps) {
  const now = clock.now();
  const [processes, raised, paused, runs, webhooks, messages] = await Promise.all([
    heartbeats.list(),
    alarms.list(),
    pauses.list(),
    jobs.latest(),
    reads.webhookTotals(),
    posts.counts(),
  ]);
  const body = [
    ...(processes.length === 0 ? [['No process has given a sign of life.']] : []),
    ...processes.slice(0, SHOWN.processes).map((heartbeat) => processParagraph(heartbeat, now)),
    ...(processes.length > SHOWN.processes
      ? [[`… and ${processes.length - SHOWN.processes} more processes.`]]
      : []),
    alarmsParagraph(raised),
    jobsParagraph(jobs.names, runs),
    [
      { bold: 'Outgoing' },
      `\nwebhook deliveries waiting: ${webhooks.waiting}, webhooks paused: ${webhooks.paused} of ${webhooks.webhooks}`,
      `\nchat messages pending: ${messages.pending}, sending: ${messages.sending}, failed: ${messages.failed}`,
      ...(messages.unknown === 0
        ? []
        : [`, outcome unknown: ${messages.unknown} (`, { code: 'outbox' }, ')']),
    ],
    pausesParagraph(paused),
  ];
  const resume = paused
    .slice(0, SHOWN.buttons)
    .map(({ name }) => [commandButton(`Resume ${name}`, `resume ${name}`)]);
  return screenOf('health', body, [...resume, [commandButton('Look again', 'health')]]);
}

function processParagraph(heartbeat: Heartbeat, now: number): Paragraph {
  const { owner, roles, at, checks } = heartbeat;
  const age = Math.max(0, Math.round((now - at) / SECOND_MS));
  const state = isAlive(heartbeat, now) ? `${age} s ago` : `silent for ${age} s: it may be gone`;
  return [
    { bold: roles.join(', ') },
    ` ${processName(owner)}, ${state}`,
    ...checkLines(checks).map((line) => `\n${line}`),
  ];
}

/** `vm/1234` of `vm.BOOT.NAMESPACE/1234/RUN`: the rest is for programs. */
function processName(owner: string): string {
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  return owner.replace(new RegExp(`\\.${uuid}[^/]*/`), '/').replace(new RegExp(`/${uuid}$`), '');
}

function jobsParagraph(names: readonly string[], runs: readonly JobRun[]): Paragraph {
  const all = [...new Set([...names, ...runs.map(({ job }) => job)])];
  if (all.length === 0) return [{ bold: 'Jobs' }, '\nnone'];
  const lines = all.map((name) => `\n${name}: ${runText(runs.find(({ job }) => job === name))}`);
  return [{ bold: 'Jobs' }, ...lines];
}

function runText(run: JobRun | undefined): string {
  if (run === undefined) return 'never ran';
  const begun = utcMinute(run.startedAt);
  if (run.endedAt === null) return `runs since ${begun}`;
  return `${begun}${run.isFailed ? ', failed' : ''}${run.outcome === null ? '' : `, ${run.outcome}`}`;
}

function alarmsParagraph(alarms: readonly OperatorAlarm[]): Paragraph {
  const lines = alarms
    .filter(({ isRaised }) => isRaised)
    .map(
      ({ name, since, sentence }) => `\n${name.replaceAll('_', ' ')} since ${utcMinute(since)}: ${sentence}`,
    );
  return [{ bold: 'Alarms' }, ...(lines.length === 0 ? ['\nnone'] : lines)];
}

function pausesParagraph(paused: readonly Pause[]): Paragraph {
  const lines = paused.map(({ name, at, by }) => `\n${name} since ${utcMinute(at)} by ${by}`);
  return [{ bold: 'Paused' }, ...(lines.length === 0 ? ['\nnothing'] : lines)];
}

const LINE_LENGTH = 160;
const REMEDY_LENGTH = 300;
/** A larger number is a time: no check counts that far. */
const FIRST_MOMENT = Date.UTC(2020);

/** The checks of a process as text, a line each: `database: ok`, `ingest: state running, lag 2`. */
function checkLines(checks: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(checks).flatMap(([name, value]) => [
    shortened(`${name}: ${summaryOf(value) ?? words(withoutDetails(value))}`, LINE_LENGTH),
    ...remediesOf(value),
  ]);
}

/** What is missing, a line each: `missing: make the bot an administrator of @x`. */
function remediesOf(check: unknown): readonly string[] {
  const { missing = [] } =
    (check as { details?: { missing?: readonly { readonly remedy: string }[] } } | null)?.details ?? {};
  const lines = missing.map(({ remedy }) => shortened(`missing: ${remedy}`, REMEDY_LENGTH));
  return lines.length <= SHOWN.remedies
    ? lines
    : [...lines.slice(0, SHOWN.remedies), `… and ${lines.length - SHOWN.remedies} more: see /readyz`];
}

function withoutDetails(check: unknown): unknown {
  if (typeof check !== 'object' || check === null || !('details' in check)) return check;
  const { details, ...others } = check;
  return others;
}

/** The summary of a check that has one. */
function summaryOf(check: unknown): string | null {
  const summary = (check as { details?: { summary?: unknown } } | null)?.details?.summary;
  return typeof summary === 'string' ? summary : null;
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
