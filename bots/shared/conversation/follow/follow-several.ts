import { oneLine } from '../../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../../src/core/base/time/duration.ts';
import type { FollowPerson, FollowService } from '../../../../src/core/follow/follow-service.ts';
import { subjectWords } from '../../../../src/core/follow/follow-words.ts';
import type { NamedWord } from '../../../../src/core/follow/followed-text.ts';
import type { MuteSubject } from '../../../../src/core/follow/follower.ts';
import { walletOutlook } from '../../../../src/core/follow/wallet-outlook.ts';
import { type Button, plainScreen, type Screen, shortened } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS } from '../buttons.ts';
import type { StepContext } from '../feature.ts';
import { TIER_WORDS } from '../words.ts';
import { type Asker, type FollowReads, personOf } from './follow-reads.ts';

const SEVERAL_MAX = 25;
const WORD_LENGTH = 34;

interface Several extends StepContext {
  readonly named: readonly NamedWord[];
}

/**
 * Follows all of them and says what became of each. There is no preview, which a list of addresses needs no more than its report: one
 * tap takes all of them back.
 */
export async function followSeveral(
  { named, ...context }: Several,
  tools: Pick<Adding, 'reads' | 'follows' | 'now'>,
): Promise<Screen> {
  const adding = { ...tools, person: personOf(context), asker: await tools.reads.asker(context.customer) };
  const lines: string[] = [];
  const added: string[] = [];
  for (const one of named.slice(0, SEVERAL_MAX)) {
    const { line, id } = await followOne(one, adding);
    lines.push(line);
    if (id !== null) added.push(id);
  }
  const rest = named.length - SEVERAL_MAX;
  if (rest > 0) lines.push(`and ${rest} more: I take ${SEVERAL_MAX} at once`);
  const undo: Button[] =
    added.length === 0 ? [] : [{ label: 'Undo', action: `follow_undo:${added[0]}-${added.at(-1)}` }];
  const done = added.length === 0 ? 'Nothing new is followed.' : `You follow ${added.length} more.`;
  return plainScreen(
    'follow_report',
    [[{ bold: done }], lines.join('\n')],
    [[...undo, FOLLOWS_BUTTON, MENU_BUTTONS]],
  );
}

interface Adding {
  readonly reads: FollowReads;
  readonly follows: Pick<FollowService, 'add'>;
  readonly person: FollowPerson;
  readonly asker: Asker;
  readonly now: EpochMs;
}

async function followOne(
  { word, named }: NamedWord,
  adding: Adding,
): Promise<{ readonly line: string; readonly id: string | null }> {
  const { reads, follows, person, asker } = adding;
  const subject = await reads.subject(named, asker);
  if (typeof subject === 'string')
    return { line: `✗ ${shortened(oneLine(word), WORD_LENGTH)}: ${subject}`, id: null };
  const name = shortened(subjectWords(subject), WORD_LENGTH);
  const result = await follows.add(person, { subject });
  if (result.ok) return { line: `✓ ${name}${await oldWallet(subject, adding)}`, id: result.follow.id };
  if (result.reason === 'already_followed') return { line: `✓ ${name}, as before`, id: null };
  return { line: `✗ ${name}: ${whyNot(result)}`, id: null };
}

async function oldWallet(subject: MuteSubject, { reads, asker, now }: Adding): Promise<string> {
  const report = subject.kind === 'wallet' ? await reads.wallet(subject.wallet, asker) : null;
  const outlook = report === null ? null : walletOutlook(report, now);
  if (outlook === null || outlook.isFresh) return '';
  return `: ${outlook.ageDays} days old, gives only exits and results`;
}

function whyNot(refusal: Exclude<Awaited<ReturnType<FollowService['add']>>, { ok: true }>): string {
  return refusal.reason === 'too_many_follows'
    ? `${refusal.limit} is the most with ${TIER_WORDS[refusal.tier]}`
    : 'not followed';
}
