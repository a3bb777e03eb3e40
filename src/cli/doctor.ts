import { type CheckResult, examineMarket } from '../infra/market/polymarket/doctor/doctor.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { proxyWords } from '../wiring/proxy-words.ts';
import { commandOf, readConfig } from './command.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const FAILED = 1;
/** Wrapped text begins below the address. */
const HANG = 6;

export const doctorCommand = commandOf({
  about:
    'Reads each address of the market once in each form in which the service does, and says what was read, or what is wrong and what to do.',
  usage: 'doctor',
  options: {},
  notes: `It needs no database and takes up to 45 s. It reads the settings
POLYMARKET_DATA_URL, POLYMARKET_GAMMA_URL, POLYMARKET_STREAM_URL, POLYMARKET_CLOB_URL, POLYGON_RPC_URL,
HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.
Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage.`,
  run: async () => {
    const terminal = createTerminal(process.stdout);
    const config = readConfig(process.env);
    const proxies = proxyWords(config);
    if (proxies !== null) terminal.prose(`${proxies}\n`);
    terminal.progress('… asking the market');
    const market = { ...config.market, proxies: config.proxy };
    const results = await examineMarket({ market, clock: systemClock, random: Math.random });
    show(terminal, results);
    if (results.some(({ isWell }) => !isWell)) process.exitCode = FAILED;
  },
});

/** What is well first, then what failed, each cause once. */
function show(terminal: Terminal, results: readonly CheckResult[]): void {
  const width = Math.max(...results.map(({ address }) => address.length));
  const failed = results.filter(({ isWell }) => !isWell);
  for (const { address, isWell, text } of results)
    if (isWell) terminal.prose(`${terminal.style('green', 'ok')}    ${address.padEnd(width)}  ${text}`, HANG);
  for (const [cause, alike] of Map.groupBy(failed, ({ text }) => text))
    for (const [index, { address }] of alike.entries()) {
      const text = index === 0 ? cause : 'the same';
      terminal.prose(`${terminal.style('red', 'FAIL')}  ${address.padEnd(width)}  ${text}`, HANG);
    }
  const count = results.length;
  terminal.line();
  terminal.line(
    failed.length === 0 ? `All ${count} checks passed.` : `${failed.length} of ${count} checks failed.`,
  );
}
