import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';
import type { Database } from '../core/database.ts';
import { databaseFailure, openDatabase, sqliteFile } from '../infra/database/database.ts';
import { PROGRAM } from '../infra/process/program.ts';

export interface Command {
  readonly help: string;
  run(args: string[]): Promise<void>;
}

interface Flag {
  readonly type: 'boolean';
  readonly help: string;
}

interface Value {
  readonly type: 'string';
  readonly value: string;
  readonly help: string;
}

type Options = Readonly<Record<string, Flag | Value>>;
type Values<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name] extends Flag ? boolean : string;
};

interface CommandSpec<Given extends Options> {
  readonly about: string;
  readonly usage: string;
  /** The only argument without a name, which must be given. */
  readonly operand?: { readonly name: string; readonly noun: string; readonly help: string };
  readonly options: Given;
  readonly notes?: string;
  run(values: Values<Given>, operand: string): Promise<void>;
}

export function commandOf<const Given extends Options>(spec: CommandSpec<Given>): Command {
  const { operand, options, run } = spec;
  const help = helpText(spec);
  return {
    help,
    async run(args) {
      const { values, positionals } = parseArgs({ args, options, allowPositionals: operand !== undefined });
      if (operand !== undefined && positionals.length !== 1)
        throw new UserError(`Name one ${operand.noun}.\n\n${help}`);
      await run(values as Values<Given>, positionals[0] ?? '');
    },
  };
}

function helpText({ about, usage, operand, options, notes }: Omit<CommandSpec<Options>, 'run'>): string {
  const rows = [
    ...(operand === undefined ? [] : [[operand.name, operand.help] as const]),
    ...Object.entries(options).map(
      ([name, option]) =>
        [`--${name}${option.type === 'string' ? ` ${option.value}` : ''}`, option.help] as const,
    ),
    ['--help', 'this text'] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, help]) => {
    const indented = help.replaceAll('\n', `\n${' '.repeat(width + 4)}`);
    return `  ${name.padEnd(width)}  ${indented}`;
  });
  const parts = [about, `Usage: ${PROGRAM} ${usage}`, lines.join('\n')];
  if (notes !== undefined) parts.push(notes.replaceAll(/^/gm, '  '));
  return parts.join('\n\n');
}

/** Runs the task until it ends by itself or by SIGINT or SIGTERM; a second signal ends the process immediately. */
export async function interruptible<Result>(
  task: (signal: AbortSignal, stop: () => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  try {
    return await task(controller.signal, stop);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  }
}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = parseConfig(env);
  if (parsed.isOk) return parsed.config;
  throw new UserError(parsed.problems.join('\n'));
}

export const DATABASE_URL = process.env['DATABASE_URL'] || 'sqlite:./data/tipoff.db';

/** Runs the task with the database of a service, which must exist: a new file is not made. */
export async function withDatabase<Result>(
  url: string,
  task: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (!isCreated(url))
    throw new UserError(
      `DATABASE_URL: there is no database at ${resolve(sqliteFile(url) ?? '')}. ${PROGRAM} start creates it; this command does not. ` +
        'If a service runs on this path, its file was deleted or moved.',
    );
  const database = await openDatabase(url);
  try {
    return await task(database);
  } catch (error) {
    throw databaseFailure(error, url);
  } finally {
    await database.close();
  }
}

export function isCreated(url: string): boolean {
  const file = sqliteFile(url);
  return file === null || file === ':memory:' || existsSync(file);
}

export const PORTS = [0, 65_535] as const;

/** The number that an option or a variable of this name has, with both limits allowed. */
export function numberOf(name: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new UserError(`${name}: expected a number from ${min} to ${max}, got "${text}"`);
}
