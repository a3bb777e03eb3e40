import type { Screen } from '../../screen.ts';
import type { StepContext } from '../feature.ts';
import { type FollowDeps, personOf } from './follow-reads.ts';

/** The answer to a person whom a message could not reach: if their messages go here, it says once, first, that messages were paused. */
export async function afterPause(
  screen: Screen,
  follows: FollowDeps['follows'],
  context: Pick<StepContext, 'visitor' | 'customer'>,
): Promise<Screen> {
  const follower = await follows.of(personOf(context));
  if (follower.follows.length === 0 || follower.place !== context.visitor.platform) return screen;
  const how =
    context.visitor.platform === 'discord'
      ? 'Discord refused them: allow direct messages from members of our server.'
      : 'You had blocked me here.';
  const words = `Your messages were paused, because I could not reach you. ${how} They continue now; /alerts shows the last ones.`;
  return { ...screen, body: [[words], ...screen.body] };
}
