import { parseArgs } from 'node:util';
import { ALL_DIGITS, type Evidence, LEAST_DIGITS } from '../../core/alerts/verification/chain-check.ts';
import { UserError } from '../../core/base/user-error.ts';
import { defaultStateFile } from '../../infra/log-service/verify-state.ts';
import { PROGRAM } from '../../infra/process/program.ts';

export const VERIFY_LOG_HELP = `Reads the log of a service from its first entry on and checks that it is one chain; that it contains what you saw of it
before; and, with a key, that the API agrees with it. Without an earlier head it proves nothing about the past.

Usage: ${PROGRAM} verify-log URL [options]

  URL                the service, for example https://tipoff.example.com
  --key KEY          an API key of the service (or TIPOFF_API_KEY). With a key, the log is read from the API, and all
                     alerts and results of the API are compared with it; a real-time key reads the newest entries.
                     Without one, the public files are read
  --head N:HASH      an earlier head, from a digest, a channel post or the API; at least ${LEAST_DIGITS} digits of the hash; repeatable
  --alert FILE       alerts as you received them: webhook bodies, stream frames or API answers, as JSON or JSON lines;
                     - reads standard input; repeatable
  --state FILE       where the last verified head of each service is kept (default:
                     $XDG_STATE_HOME/tipoff/verify-log.json, or below ~/.local/state)
  --tape FILE        runs the detector over a recording of the market and compares its alerts with the log
  --rules FILE       the detection rules for --tape
  --resolutions FILE rows of the market's own /v2/resolutions, as JSON or JSON lines
  --help             this text

  docs/log.md says what this proves and what it does not.
  Exit codes: 0 what was compared holds, 1 a check failed, 2 wrong usage or key, 3 the service did not answer as expected.`;

export type VerifyLogOptions = ReturnType<typeof parseVerifyLogOptions>;

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true, default: [] as string[] } as const;

export function parseVerifyLogOptions(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ key: TEXT, head: TEXTS, alert: TEXTS, state: TEXT, tape: TEXT, rules: TEXT, resolutions: TEXT },
    },
  });
  const [url, ...rest] = positionals;
  if (url === undefined || rest.length > 0)
    throw new UserError(`URL: expected one service, got ${positionals.length}.\n\n${VERIFY_LOG_HELP}`);
  const { tape = null, resolutions = null, rules = null } = values;
  if (rules !== null && tape === null) throw new UserError('--rules requires --tape.');
  return {
    service: serviceOf(url),
    key: values.key ?? (env['TIPOFF_API_KEY'] || null),
    heads: values.head.map(headOf),
    alertFiles: values.alert,
    stateFile: values.state ?? defaultStateFile(env),
    ...{ tape, rules, resolutions },
  };
}

function serviceOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp)
    throw new UserError(`URL: expected an address like https://tipoff.example.com, got "${text}"`);
  if (url.username !== '' || url.password !== '')
    throw new UserError('URL: expected an address without user name and password; pass the key with --key.');
  if (url.search !== '' || url.hash !== '')
    throw new UserError(`URL: expected an address without ? and #, got "${text}"`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
}

function headOf(text: string): Evidence {
  const [, number = '', digits = ''] = /^(\d{1,15}):([0-9a-f]+)…?$/i.exec(text) ?? [];
  const [sequence, hash] = [Number(number), digits.toLowerCase()];
  if (sequence < 1 || hash.length < LEAST_DIGITS || hash.length > ALL_DIGITS)
    throw new UserError(
      `--head: expected SEQUENCE:HASH with ${LEAST_DIGITS} to ${ALL_DIGITS} hexadecimal digits, like 1234:9f86d081884c7d65, got "${text}"`,
    );
  const bits = hash.length < ALL_DIGITS ? ` (${hash.length * 4} of 256 bits)` : '';
  const name = `the head ${sequence}:${hash.slice(0, LEAST_DIGITS)}${bits}`;
  return { kind: 'head', sequence, hash, name, at: null, receivedBefore: null, alert: null, isDelayed: true };
}
