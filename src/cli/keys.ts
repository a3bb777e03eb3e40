import { parseArgs } from 'node:util';
import { type ApiKey, effectiveTier } from '../core/accounts/keys/api-key.ts';
import { type IssueResult, KEY_LIMITS, KeyService } from '../core/accounts/keys/key-service.ts';
import { TIERS, type Tier } from '../core/accounts/tier.ts';
import { utcDay, utcMinute } from '../core/base/text/formats.ts';
import { UserError } from '../core/base/user-error.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import { type Command, DATABASE_URL, withDatabase } from './command.ts';
import { runningAddress } from './running-service.ts';
import { alignColumns, createTerminal, type Terminal } from './terminal.ts';

const HELP = `API keys of the service: issue and list them.

Usage: ${PROGRAM} keys COMMAND

  issue --tier TIER --name NAME [--days N] [--json]
                      a new key, shown only once; a pro key is a trial of 30 days, or of N
  list [--json]       every key, oldest first
  --help              this text

  TIER is ${TIERS.join(', ')}. “${PROGRAM} admin” revokes a key and changes its tier, by the key_… that these show.
  The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db).`;

export const keysCommand: Command = {
  help: HELP,
  async run([name, ...rest]) {
    if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
    const parse = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (parse === undefined)
      throw new UserError(`${name}: no such command. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
    const work = parse(rest);
    const terminal = createTerminal(process.stdout);
    await withDatabase(DATABASE_URL, (database) => {
      const { keys } = database;
      const service = new KeyService({
        keys,
        hasher: argon2Hasher,
        random: secureRandom,
        clock: systemClock,
      });
      return work(service, terminal, () => runningAddress(database));
    });
  },
};

type Work = (
  service: KeyService,
  terminal: Terminal,
  addressOf: () => Promise<string | null>,
) => Promise<void>;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** Reads the whole command line before the database is opened. */
const COMMANDS: Readonly<Record<string, (args: string[]) => Work>> = {
  issue(args) {
    const { values } = parseArgs({ args, options: { tier: TEXT, name: TEXT, days: TEXT, json: FLAG } });
    const tier = tierOf(values.tier, '--tier');
    const { name } = values;
    if (name === undefined)
      throw new UserError('--name: say what the key is for, for example --name "My bot"');
    const days = values.days === undefined ? {} : { days: daysOf(values.days) };
    return async (service, terminal, addressOf) => {
      const { key, secret } = accepted(await service.issue({ tier, name, ...days }), tier);
      const json = { id: key.id, key: secret, tier, name: key.name, trial_ends_at: iso(key.trialEndsAt) };
      if (values.json) terminal.line(JSON.stringify(json));
      else terminal.line(issuedText(key, { secret, address: await addressOf() }, terminal));
    };
  },
  list(args) {
    const { values } = parseArgs({ args, options: { json: FLAG } });
    return async (service, terminal) => {
      const [keys, now] = [await service.list(), systemClock.now()];
      if (values.json) terminal.line(JSON.stringify(keys.map((key) => keyJson(key, now))));
      else for (const line of keyTable(keys, now, terminal)) terminal.line(line);
    };
  },
};

function tierOf(text: string | undefined, flag: string): Tier {
  const tier = TIERS.find((known) => known === text);
  if (tier !== undefined) return tier;
  const known = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(TIERS);
  throw new UserError(`${flag}: expected ${known}${text === undefined ? '' : `, got "${text}"`}`);
}

function daysOf(text: string): number {
  const days = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= KEY_LIMITS.trialDays) return days;
  throw new UserError(`--days: expected a whole number from 1 to ${KEY_LIMITS.trialDays}, got "${text}"`);
}

function accepted(result: IssueResult, tier: Tier): Extract<IssueResult, { ok: true }> {
  if (result.ok) return result;
  const words = {
    bad_name: `--name: expected 1 to ${KEY_LIMITS.nameLength} printable characters that are not a key`,
    bad_days: `--days: expected a whole number from 1 to ${KEY_LIMITS.trialDays}`,
    days_without_trial: `--days: only a pro key is a trial; leave it out for --tier ${tier}`,
  };
  throw new UserError(words[result.reason]);
}

function keyJson(key: ApiKey, now: number): object {
  return {
    id: key.id,
    name: key.name,
    tier: effectiveTier(key, now),
    issued_tier: key.tier,
    created_at: iso(key.createdAt),
    trial_ends_at: iso(key.trialEndsAt),
    revoked_at: iso(key.revokedAt),
  };
}

interface Issued {
  readonly secret: string;
  /** Of the running service; null when none runs. */
  readonly address: string | null;
}

function issuedText(key: ApiKey, { secret, address }: Issued, { style }: Terminal): string {
  const url = address ?? `http://127.0.0.1:${process.env['PORT'] || '8080'}`;
  const where =
    address === null
      ? `No service is running on this database now. Once it runs at ${url}, try it`
      : `The service runs at ${url}: try it`;
  return `Key for ${style('bold', key.name)} (${key.id}): ${tierText(key)}.

  ${style('green', secret)}

It is shown only once and cannot be recovered. ${where}:

  curl -H 'Authorization: Bearer ${secret}' '${url}/api/v1/alerts/latest?limit=5'`;
}

function keyTable(keys: readonly ApiKey[], now: number, { style }: Terminal): readonly string[] {
  if (keys.length === 0) return [`No keys yet. Issue one: ${PROGRAM} keys issue --tier pro --name "My bot"`];
  const rows = keys.map((key) => {
    return [key.id, effectiveTier(key, now), utcDay(key.createdAt), stateOf(key, now), key.name];
  });
  const head = ['ID', 'TIER', 'CREATED', 'STATE', 'NAME'];
  const [first = '', ...lines] = alignColumns([head, ...rows], () => true);
  return [style('gray', first), ...lines];
}

function tierText(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>): string {
  if (key.trialEndsAt === null) return key.tier;
  return `${key.tier} until ${utcMinute(key.trialEndsAt)}, free afterwards`;
}

function stateOf(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return `revoked ${utcDay(key.revokedAt)}`;
  if (key.trialEndsAt === null) return 'active';
  return `${now < key.trialEndsAt ? 'trial until' : 'trial ended'} ${utcDay(key.trialEndsAt)}`;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
