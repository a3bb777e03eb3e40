import type { Category } from '../trade.ts';
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

const SLUGS: Readonly<Record<Exclude<Category, 'other'>, readonly string[]>> = {
  crypto: phraseList(`
    crypto, crypto-prices, cryptocurrency, bitcoin, btc, ethereum, eth, solana, xrp, ripple, dogecoin, bnb,
    litecoin, cardano, zcash, stablecoins, memecoins, meme-coins, airdrops, pre-market, token-launches,
    token-sales, tokens, fdv, defi, nft, nfts, exchange, binance, coinbase, tether, microstrategy,
    hyperliquid, megaeth, monad, metamask, opensea, pump-fun, etf-flows, crypto-policy, kraken-crypto,
    bitcoin-reserve
  `),
  politics: phraseList(`
    politics, us-politics, global-politics, us-current-affairs, elections, us-election, us-elections,
    global-elections, world-elections, main-election, us-presidential-election, presidential-election,
    midterms, primaries, senate, senate-elections, senate-races, house, house-races, governor-races, congress,
    mayoral-elections, nyc-mayor, trump, trump-presidency, trump-cabinet, cabinet, biden, kamala-harris,
    harris, democrats, republicans, democratic-party, republican-party, scotus, supreme-court, us-government,
    government-shutdown, white-house, executive-orders, pardons, epstein, immigration, deportation, tariffs,
    trade-war, approval, polls, fed-chair
  `),
  world: phraseList(`
    world, world-affairs, geopolitics, foreign-policy, foreign-affairs, international-affairs, middle-east,
    israel, gaza, palestine, iran, khamenei, lebanon, hezbollah, hamas, syria, yemen, houthis,
    strait-of-hormuz, ukraine, russia, putin, zelensky, zelenskyy, ukraine-peace-deal, ukraine-russia,
    ukraine-map, ceasefire, nato, china, taiwan, xi-jinping, india-pakistan, north-korea, venezuela, maduro,
    cuba, greenland, military-action, military-actions, military-strikes, war, netanyahu, nuclear, diplomacy,
    nobel, nobel-prize, nobel-peace-prize
  `),
  tech: phraseList(`
    tech, technology, big-tech, ai, artificial-intelligence, openai, chatgpt, anthropic, claude, deepseek,
    gemini, grok, xai, agi, google, apple, iphone, tesla, spacex, starship, space, nvidia, microsoft, meta,
    facebook, tiktok, neuralink, self-driving, robotaxi, semiconductors, app-store
  `),
  finance: phraseList(`
    finance, economy, economics, economic-policy, business, fed, fed-rates, fomc, interest-rates,
    jerome-powell, inflation, cpi, gdp, recession, unemployment, jobs-report, nfp, macro, macro-indicators,
    macro-single, macro-graph, stocks, stock-prices, stock-market, equities, indices, spx, sp-500, spy,
    nasdaq, nasdaq-100, ndx, dow, earnings, earnings-calls, kpis, ipo, ipos, acquisitions, commodities, gold,
    silver, oil, crude-oil, natural-gas, forex, treasuries, bonds, real-estate, finance-updown, pyth-finance,
    central-banks
  `),
  pop_culture: phraseList(`
    pop-culture, culture, celebrities, celebrity, entertainment, art, music, music-industry, albums, album,
    song, songs, charts, spotify, billboard, kpop, k-pop, grammys, eurovision, coachella, halftime-show,
    movies, film, film-tv, box-office, rotten-tomatoes, animation, oscars, awards, emmys, golden-globes,
    tony-awards, met-gala, tv, reality-tv, netflix, streaming, streamers, youtube, twitch, mrbeast, podcasts,
    video-games, gaming, gta-vi, game-awards, taylor-swift, drake, kanye, diddy, kardashian, google-search,
    tweets-markets, new-years
  `),
};

const byTag = new Map<string, Category>();
for (const tag of SPORTS_TAGS) byTag.set(tag, 'other');
for (const tag of phraseList('weather, climate, climate-weather, daily-temperature, hurricanes')) {
  byTag.set(tag, 'other');
}
for (const [category, slugs] of Object.entries(SLUGS) as [Category, readonly string[]][]) {
  for (const slug of slugs) byTag.set(slug, category);
}

/**
 * What a Gamma tag slug (lower case) says of a market's category, after detection.md, "Categories". Sports and
 * weather say `other`. Tags that only sort the site (`all`, `featured`, `recurring`, `mention-markets`, persons and
 * countries that appear in every kind of market) are absent on purpose.
 */
export const CATEGORY_OF_TAG: ReadonlyMap<string, Category> = byTag;
