/** Prints alerts as they come, one per line. `npm run -s watch -- --help` */
import { parseArgs, styleText } from 'node:util';
import { type Alert, createTipoff, type StreamStatus, TipoffError } from '../clients/typescript/src/index.ts';
import { describeResult, describeTrade, TYPE_NAMES } from './alert-words.ts';

const HELP = `Prints alerts as they come, one per line. The result of a settled one is on the next line.

  TIPOFF_API_KEY=sk_live_… npm run -s watch -- [options]

  --url <address>        of the service; TIPOFF_URL, else http://127.0.0.1:8080, when not given
  --since-id <n>         begins after this alert; by default with the next new one
  --min-signal <0-100>   only alerts with this score or a higher one
  --categories <a,b>     crypto, politics, world, tech, finance, pop_culture, other
  --alert-type <type>    fresh, fresh_accumulator or cluster
  --help                 shows this

Columns: time (UTC), number, score out of 100, type, wallet, trade, market and, if the
alert extends an earlier position, the number of the previous alert.
What an alert means, and what it does not: docs/reading-alerts.md.

Alerts go to stdout, the state of the connection to stderr. Ctrl-C ends it.
Nothing is printed until there is a new alert; --since-id 0 begins with the first
alert that is not history, from before the start of the service.
The exit code is 1 when the service refuses the key, 2 when an option is wrong.`;

const options = {
  url: { type: 'string', default: process.env['TIPOFF_URL'] || 'http://127.0.0.1:8080' },
  'since-id': { type: 'string' },
  'min-signal': { type: 'string' },
  categories: { type: 'string' },
  'alert-type': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

process.exit(await main());

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({ options });
    const apiKey = process.env['TIPOFF_API_KEY'];
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    if (apiKey === undefined) throw new TypeError('Set TIPOFF_API_KEY.');
    const { 'since-id': sinceId, 'min-signal': minSignal, categories, 'alert-type': alertType } = values;
    const interrupted = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupted.abort());
    // The reader is gone (`| head`).
    process.stdout.once('error', () => interrupted.abort());
    const alerts = createTipoff({ url: values.url, apiKey }).follow({
      ...(sinceId !== undefined && { sinceId: wholeNumber('--since-id', sinceId) }),
      filters: {
        ...(minSignal !== undefined && { min_signal: wholeNumber('--min-signal', minSignal) }),
        ...(categories !== undefined && { categories: categories.split(',') as Alert['category'][] }),
        ...(alertType !== undefined && { alert_type: alertType as Alert['alert_type'] }),
      },
      signal: interrupted.signal,
      onStatus: (status) => console.error(styleText('dim', wordsOf(status), { stream: process.stderr })),
    });
    for await (const alert of alerts) console.log(linesOf(alert));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const isInput = error instanceof TipoffError && error.status === 422;
    return isInput || error instanceof TypeError || error instanceof RangeError ? 2 : 1;
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new TypeError(`${name} takes a whole number, not ${text}.`);
  return Number(text);
}

function linesOf(alert: Alert): string {
  const { id, created_at, signal_score, alert_type, side, wallet_address, details } = alert;
  const score = styleText(signal_score >= 80 ? 'red' : 'yellow', String(signal_score).padStart(3));
  const coloured = styleText(side === 'BUY' ? 'green' : 'magenta', asLine(describeTrade(alert)));
  const wallet = asLine(`${wallet_address.slice(0, 6)}…${wallet_address.slice(-4)}`);
  const { supersedes } = details;
  const line = `${created_at}  #${id}  ${score}  ${TYPE_NAMES[alert_type]}  ${wallet}  ${coloured}  ${asLine(alert.event_title)}`;
  const more = typeof supersedes === 'number' ? `  more of #${supersedes}` : '';
  const result = describeResult(alert);
  return `${line}${more}${result === null ? '' : `\n    ${result}`}`;
}

/** Texts of markets and outcomes come from strangers: control characters must not reach the terminal. */
function asLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

function wordsOf(status: StreamStatus): string {
  const { state } = status;
  if (state === 'connected') return `connected, ${status.tier} tier`;
  if (state === 'waiting') return `${status.reason}; retrying in ${(status.ms / 1_000).toFixed(1)} s`;
  if (state === 'filling') return `reading alerts ${status.from} to ${status.to} from the archive`;
  if (state === 'feed') return `the feed of the service: ${status.notice.type}`;
  return status.sinceId === null ? 'connecting' : `connecting; resuming after alert ${status.sinceId}`;
}
