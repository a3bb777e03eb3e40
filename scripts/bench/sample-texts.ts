import type { Category } from '../../src/core/trades/trade.ts';

interface Theme {
  readonly subjects: readonly string[];
  readonly questions: readonly string[];
}

const words = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

export const THEMES: Readonly<Record<Category, Theme>> = {
  politics: {
    subjects: words(`the Republican nominee, the Democratic nominee, the incumbent governor, an independent,
      Hochul, DeSantis, Fetterman, Warnock, Kelly, Whitmer, Newsom, the challenger`),
    questions: words(`win the Senate election in #, win the House election in district #, carry county #,
      be ahead in poll #, concede race # before midnight`),
  },
  crypto: {
    subjects: words('Bitcoin, Ethereum, Solana, XRP, Dogecoin, Monad, MegaETH, Hyperliquid'),
    questions: words('close above $#00, reach a new high in week #, fall below $#0, list on exchange #'),
  },
  world: {
    subjects: words('Iran, Israel, Ukraine, Russia, Venezuela, Taiwan, the UN, NATO'),
    questions: words('agree to ceasefire #, hold a general election by day #, sign treaty #, close border #'),
  },
  tech: {
    subjects: words('OpenAI, Google, Apple, Anthropic, Nvidia, xAI, Tesla'),
    questions: words('release model # this quarter, lead benchmark #, announce product #'),
  },
  finance: {
    subjects: words('the Fed, the ECB, the S&P 500, gold, crude oil, inflation'),
    questions: words('move by # basis points, close above #, beat estimate #'),
  },
  pop_culture: {
    subjects: words('Taylor Swift, the Nobel Peace Prize winner, Oppenheimer, MrBeast, the Oscars host'),
    questions: words('top chart #, win award #, gross # million, post # times in a week'),
  },
  other: {
    subjects: words('the Lakers, Arsenal, the storm, the Chiefs, Alcaraz'),
    questions: words('win game #, score # or more, make landfall on day #, finish in place #'),
  },
};

export const CATEGORY_SHARES: readonly (readonly [Category, number])[] = [
  ['politics', 30],
  ['crypto', 20],
  ['world', 15],
  ['other', 12],
  ['finance', 9],
  ['tech', 8],
  ['pop_culture', 6],
];
