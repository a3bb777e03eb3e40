import { canonicalJson } from '../log/canonical-json.ts';
import { textHash } from './fill-hash.ts';
import type { DetectionRules } from './rules.ts';

/** Names the shape of `Detector.snapshot`. Goes up with every change of what a part of it holds or means. */
export const STATE_FORMAT = 5;

/** What a detector's state was made by. It is continued by nothing else: other rules would have made another state. */
export interface StateVersion {
  readonly format: number;
  /** Hash of all rules, since an operator may name their version as they like. */
  readonly rules: string;
}

/** The version of the states that a detector with these rules makes. The order in which the rules are written does not matter. */
export function stateVersionOf(rules: DetectionRules): StateVersion {
  const { high, low } = textHash(canonicalJson(rules));
  return { format: STATE_FORMAT, rules: `${hex(high)}${hex(low)}` };
}

/** `recorded`: what a snapshot says of itself; builds before format 3 recorded nothing. */
export function isSameVersion(recorded: StateVersion | undefined, { format, rules }: StateVersion): boolean {
  return recorded?.format === format && recorded.rules === rules;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
