import { phraseList } from './word-match.ts';

/**
 * Gamma tag slugs that mark a sports or esports market, lower case. `sports` and `games` stand on every match;
 * the leagues are for markets whose tags were only partly served. Source: Gamma events, 2025 and 2026.
 */
export const SPORTS_TAGS: ReadonlySet<string> = new Set(
  phraseList(`
    sports, games, sports-futures, nba, nba-finals, nba-playoffs, nba-champion, wnba, nfl, nfl-playoffs,
    nfl-draft, super-bowl, superbowl, big-game, mlb, world-series, nhl, stanley-cup, ncaa, ncaab, ncaaf, cbb,
    cfb, cwbb, march-madness, college-football, college-basketball, basketball, football, baseball, hockey,
    ice-hockey, soccer, epl, premier-league, ucl, uel, uefa, champions-league, europa-league, la-liga,
    la-liga-2, serie-a, bundesliga, ligue-1, mls, eredivisie, fifa, fifa-world-cup, 2026-fifa-world-cup,
    world-cup, copa-america, euro-2024, ufc, mma, boxing, wwe, tennis, atp, wta, us-open, wimbledon, golf,
    pga, pga-tour, ryder-cup, the-masters, f1, formula1, formula-1, nascar, motogp, motorsports, cycling,
    tour-de-france, olympics, winter-olympics, cricket, ipl, international-cricket, rugby, rugby-union,
    lacrosse, volleyball, handball, table-tennis, pickleball, darts, snooker, horse-racing, chess, poker,
    esports, lol, league-of-legends, dota-2, counter-strike, counter-strike-2, cs2, csgo, valorant,
    call-of-duty, overwatch, rainbow-six-siege, rocket-league, starcraft-2, mobile-legends, honor-of-kings,
    jake-paul-vspt-joshua
  `),
);
