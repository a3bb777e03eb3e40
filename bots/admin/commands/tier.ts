import { effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { TIERS, type Tier } from '../../../src/core/accounts/tier.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type ActCommand, done } from '../command.ts';
import { keyText, notifyCustomer, oneKey } from '../customers.ts';

export const tierCommand: ActCommand = {
  kind: 'act',
  name: 'tier',
  isIrreversible: true,
  usage: 'tier KEY TIER',
  description: 'Gives a key another tier: free, pro (30 days) or enterprise; its owner is notified',
  parse(argument) {
    const [text = '', name = '', ...more] = argument.split(/\s+/);
    const tier = TIERS.find((known) => known === name.toLowerCase());
    if (text === '') return { wrong: 'KEY and TIER are needed.' };
    if (tier === undefined || more.length > 0) {
      return { wrong: `TIER is one of ${TIERS.join(', ')}, and stands behind KEY.` };
    }
    return async (deps) => {
      const key = await oneKey(deps, text);
      if ('refused' in key) return key;
      const named = keyText(key);
      const recorded = { personal: [`“${key.name}”`] };
      if (key.revokedAt !== null) return { ...recorded, refused: `The key ${named} is revoked permanently.` };
      const now = effectiveTier(key, deps.clock.now());
      if (now === tier && key.trialEndsAt === null)
        return { ...recorded, refused: `The key ${named} is ${tier} already.` };
      return {
        ...recorded,
        question: {
          body: [isLower(tier, now) ? lowerWords(named, now, tier) : raiseWords(named, now, tier)],
          yes: `Make it ${tier}`,
        },
        async act() {
          const result = await deps.customers.keys.service.setTier(key.id, tier);
          if (!result.ok)
            return result.reason === 'unknown_key'
              ? { refused: `${named} is gone.` }
              : { ...recorded, refused: `The key ${named} is revoked permanently.` };
          const { trialEndsAt } = result.key;
          const until = trialEndsAt === null ? '' : ` until ${utcMinute(trialEndsAt)}`;
          const told = await notifyCustomer(
            deps,
            key.customerId,
            `Your key “${key.name}” is ${tier}${until} now.`,
          );
          return done(`The key ${named} is ${tier}${until}.`, told);
        },
      };
    };
  },
};

function isLower(tier: Tier, than: Tier): boolean {
  return TIERS.indexOf(tier) < TIERS.indexOf(than);
}

function raiseWords(named: string, from: Tier, to: Tier) {
  return ['Change the key ', { bold: named }, ` from ${from} to ${to}? Its owner is notified.`];
}

function lowerWords(named: string, from: Tier, to: Tier) {
  return [
    'Lower the key ',
    { bold: named },
    ` from ${from} to ${to}? It loses what ${from} has within 5 seconds; its open streams may close.`,
  ];
}
