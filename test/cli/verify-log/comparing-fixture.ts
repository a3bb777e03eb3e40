import type { JsonObject } from '../../../src/core/alerts/log/log-entry.ts';
import { EVENTS, type LogFixture, logFixtureOf } from '../../support/log-fixture.ts';
import { type LogStandIn, startLogStandIn } from '../../support/log-stand-in.ts';
import { openVerifier, type Verifier } from '../../support/run-verify-log.ts';

export async function open(
  events = EVENTS,
): Promise<{ standIn: LogStandIn; verifier: Verifier; world: LogFixture }> {
  const fixture = logFixtureOf(events);
  return { world: fixture, standIn: await startLogStandIn(fixture), verifier: await openVerifier() };
}

/** The API answers an alert otherwise, and the log stays as it is. */
export function answering({ entries, answers }: LogFixture, id: number, change: JsonObject): LogFixture {
  const answer = answers.get(id) as JsonObject;
  const details = { ...(answer['details'] as JsonObject), ...(change['details'] as JsonObject | undefined) };
  return { entries, answers: new Map([...answers, [id, { ...answer, ...change, details }]]) };
}
