import { nearestName } from '../core/base/text/nearest-name.ts';

/** A shorter name is too near to too much. */
const SHORTEST_TYPO = 6;
const MOST_TYPO_EDITS = 2;

/**
 * Variables of the environment that look like settings and are none: one sentence each, with the nearest setting. `settings`:
 * the names of all. The first word of a name is a prefix of this service if two or more settings have it; a variable without
 * such a prefix is named only if it differs from a setting by two letters or fewer.
 */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || settings.includes(name)) return [];
    const nearest = nearestOf(name, settings);
    return nearest === null ? [] : [`${name} is not a setting and has no effect; the nearest is ${nearest}`];
  });
}

function nearestOf(name: string, settings: readonly string[]): string | null {
  const prefix = name.slice(0, name.indexOf('_') + 1);
  const family = prefix === '' ? [] : settings.filter((setting) => setting.startsWith(prefix));
  if (family.length > 1) return nearestName(name, family, name.length);
  const nearest = name.length < SHORTEST_TYPO ? null : nearestName(name, settings, MOST_TYPO_EDITS);
  // `METRICS` begins the name of a setting, and may be of another program.
  return nearest !== null && nearest.length - name.length <= MOST_TYPO_EDITS ? nearest : null;
}
