import { KEY_SCENARIOS } from './key-scenarios.ts';
import { LINK_SCENARIOS } from './link-scenarios.ts';
import { OWN_KEY_SCENARIOS } from './own-key-scenarios.ts';
import { QUESTION_SCENARIOS } from './question-scenarios.ts';
import type { Scenario } from './scenario-steps.ts';

/** Every screen of the conversation and every way between them. The same on every platform. */
export const SCENARIOS: readonly Scenario[] = [
  ...KEY_SCENARIOS,
  ...OWN_KEY_SCENARIOS,
  ...LINK_SCENARIOS,
  ...QUESTION_SCENARIOS,
];
