import { parseArgs } from 'node:util';
import {
  type ChangeResult,
  type IssueResult,
  KEY_LIMITS,
  KeyService,
} from '../core/accounts/keys/key-service.ts';
import { TIERS, type Tier } from '../core/accounts/tier.ts';
import { UserError } from '../core/base/user-error.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import { issuedJson, issuedLines, keyJson, keyTable, tierText } from './key-views.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal } from './terminal.ts';
import { DATABASE_URL, withDatabase } from './with-database.ts';

const HELP = `API keys of the service: issue, list, revoke and change them.

Usage: ${PROGRAM} keys COMMAND

  issue --tier TIER --name NAME [--days N] [--json]
                      a new key, shown this once; a pro key is a trial of 30 days, or of N
  list [--json]       every key, oldest first
  revoke ID           revokes a key permanently, within 5 seconds
  set-tier ID TIER    to pro: a trial of 30 days from now
  --help              this text

  TIER is ${TIERS.join(', ')}. ID is the key_… that issue and list show.
  The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db).`;

const terminal = createTerminal(process.stdout);
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

type Work = (service: KeyService) => Promise<void>;

/** Reads the whole command line before the database is opened. */
const COMMANDS: Record<string, (args: string[]) => Work> = {
  issue(args) {
    const { values } = parseArgs({ args, options: { tier: TEXT, name: TEXT, days: TEXT, json: FLAG } });
    const tier = tierOf(values.tier, '--tier');
    const { name } = values;
    if (name === undefined)
      throw new UserError('--name: say what the key is for, for example --name "My bot"');
    const days = values.days === undefined ? {} : { days: daysOf(values.days) };
    return async (service) => {
      const issued = accepted(await service.issue({ tier, name, ...days }), tier);
      if (values.json === true) terminal.line(JSON.stringify(issuedJson(issued)));
      else for (const line of issuedLines(issued, baseUrl(), terminal)) terminal.line(line);
    };
  },
  list(args) {
    const { values } = parseArgs({ args, options: { json: FLAG } });
    return async (service) => {
      const [keys, now] = [await service.list(), systemClock.now()];
      if (values.json === true) terminal.line(JSON.stringify(keys.map((key) => keyJson(key, now))));
      else for (const line of keyTable(keys, now, terminal)) terminal.line(line);
    };
  },
  revoke(args) {
    const [id] = positionals(args, ['ID']);
    return async (service) => {
      const result = await service.revoke(id);
      if (result.ok)
        terminal.line(`Revoked ${id} (${result.key.name}). Running services see it within 5 seconds.`);
      else refuse(result.reason, id);
    };
  },
  'set-tier'(args) {
    const [id, name] = positionals(args, ['ID', 'TIER']);
    const tier = tierOf(name, 'TIER');
    return async (service) => {
      const result = await service.setTier(id, tier);
      if (result.ok) terminal.line(`${id} (${result.key.name}) is ${tierText(result.key)}.`);
      else refuse(result.reason, id);
    };
  },
};

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UserError(`${name}: no such command. Known are ${Object.keys(COMMANDS).join(', ')}.`);
  }
  const work = command(rest);
  await withDatabase(DATABASE_URL, ({ keys }) =>
    work(new KeyService({ keys, hasher: argon2Hasher, random: secureRandom, clock: systemClock })),
  );
}

function tierOf(text: string | undefined, flag: string): Tier {
  const tier = TIERS.find((known) => known === text);
  if (tier !== undefined) return tier;
  throw new UserError(`${flag}: expected ${alternatives()}${text === undefined ? '' : `, got "${text}"`}`);
}

function alternatives(): string {
  return `${TIERS.slice(0, -1).join(', ')} or ${TIERS[TIERS.length - 1]}`;
}

function daysOf(text: string): number {
  const days = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= KEY_LIMITS.trialDays) return days;
  throw new UserError(`--days: expected a whole number from 1 to ${KEY_LIMITS.trialDays}, got "${text}"`);
}

function positionals<Names extends string[]>(
  args: string[],
  names: [...Names],
): { [N in keyof Names]: string } {
  const { positionals: given } = parseArgs({ args, allowPositionals: true, options: {} });
  if (given.length === names.length) return given as { [N in keyof Names]: string };
  throw new UserError(
    `expected ${names.join(' and ')}, got ${given.length === 0 ? 'nothing' : given.join(' ')}`,
  );
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

function refuse(reason: Extract<ChangeResult, { ok: false }>['reason'], id: string): void {
  const words = {
    unknown_key: `${id}: no such key. ${PROGRAM} keys list shows them.`,
    revoked_key: `${id}: the key is revoked permanently. Issue a new one.`,
  };
  process.stderr.write(`${words[reason]}\n`);
  process.exitCode = 1;
}

function baseUrl(): string {
  return `http://127.0.0.1:${process.env['PORT'] || '8080'}`;
}

await runCommand(HELP, main);
