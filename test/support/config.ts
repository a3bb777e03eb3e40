import { type Config, parseConfig } from '../../src/config.ts';

export function configOf(environment: Parameters<typeof parseConfig>[0]): Config {
  const parsed = parseConfig(environment);
  if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
  return parsed.config;
}
