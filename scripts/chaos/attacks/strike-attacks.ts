import type { Attack } from './attack.ts';
import { withAttackedService } from './attacked-service.ts';
import { cardAttack } from './card-attack.ts';
import { downloadAttack } from './download-attack.ts';

export const ATTACKS: readonly Attack[] = [cardAttack, downloadAttack];

/** Strikes with each attack that is wanted, one after the other. Whether every promise was kept. */
export async function strikeAttacks(isWanted: (name: string) => boolean): Promise<boolean> {
  const wanted = ATTACKS.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return true;
  return withAttackedService(async (address) => {
    let isHeld = true;
    for (const { name, strike } of wanted) {
      const { figures, problems } = await strike(address);
      console.log([name, ...figures, problems.join('; ') || 'held'].join('\n  '));
      isHeld &&= problems.length === 0;
    }
    return isHeld;
  });
}
