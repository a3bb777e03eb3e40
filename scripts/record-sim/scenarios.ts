import { UserError } from '../../src/core/base/user-error.ts';

export interface Scenario {
  readonly name: string;
  /** USDC a share by which the price moves toward an alert's outcome within 24 hours after it. */
  readonly drift: number;
  /** Share of the events in which it does. */
  readonly share: number;
  /** What the record must reach; null: reported only. */
  readonly aim: Aim | null;
}

/** `found`: at least this share of the records say "above" for the primary figure. */
type Aim =
  | { readonly found: number }
  /** At most these shares of the records say "above" for any figure, and anything but "not shown" for any figure. */
  | { readonly above: number; readonly any: number };

export const SCENARIOS: readonly Scenario[] = [
  { name: 'null', drift: 0, share: 0, aim: { above: 0.05, any: 0.08 } },
  { name: '3c-everywhere', drift: 0.03, share: 1, aim: { found: 0.9 } },
  { name: '10c-in-a-quarter', drift: 0.1, share: 0.25, aim: { found: 0.8 } },
  { name: '2c-everywhere', drift: 0.02, share: 1, aim: null },
  { name: '10c-in-a-tenth', drift: 0.1, share: 0.1, aim: null },
];

export function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw new UserError(
    `${name}: no such scenario; there are ${SCENARIOS.map((each) => each.name).join(', ')}`,
  );
}

/** The drift in this event. Exactly the stated share of many events has it. */
export function driftOf({ drift, share }: Scenario, event: number): number {
  return Math.floor((event + 1) * share) > Math.floor(event * share) ? drift : 0;
}
