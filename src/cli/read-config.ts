import { type Config, parseConfig } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';

/** The settings of an environment. Throws a `UserError` that names the wrong ones. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = parseConfig(env);
  if (parsed.isOk) return parsed.config;
  throw new UserError(parsed.problems.join('\n'));
}
