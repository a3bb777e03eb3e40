import { TIERS, type Tier } from '../core/accounts/tier.ts';
import { IS_CHECKOUT } from '../infra/process/program.ts';

interface DemoHead {
  /** Of the server, without a slash at its end. */
  readonly address: string;
  readonly secrets: Readonly<Record<Tier, string>>;
}

/** Calls whose answers have results and figures. */
const CALLS = ['/alerts/latest?limit=3', '/alerts?resolved=true', '/alerts/preview?min_signal=80'] as const;
const LABEL_WIDTH = 14;

/**
 * Addresses, keys and calls to paste. No line is wider than 80 columns, but for the calls of Windows, whose shells have no common
 * variables.
 */
export function demoHead(
  { address, secrets }: DemoHead,
  platform: string = process.platform,
): readonly string[] {
  const api = `${address}/api/v1`;
  const table = [
    ['Page', `${address}/`],
    ['Documents', `${address}/docs`],
    ['API', api],
    ['Stream', `${address.replace('http', 'ws')}/ws/alerts?api_key=…`],
    ...TIERS.map((tier) => [`${tier} key`, secrets[tier]]),
  ];
  const callsFor = platform === 'win32' ? windowsCalls : shellCalls;
  return [
    ...table.map(([label = '', value = '']) => `${label.padEnd(LABEL_WIDTH)}  ${value}`),
    '',
    'To paste into another terminal:',
    ...callsFor(address, secrets.pro),
  ];
}

function shellCalls(address: string, secret: string): readonly string[] {
  return [
    `KEY=${secret}`,
    `URL=${address}`,
    ...CALLS.map((path) => `curl -H "Authorization: Bearer $KEY" "$URL/api/v1${path}"`),
    // From the start of the run: later alerts are few.
    ...(IS_CHECKOUT ? ['TIPOFF_API_KEY=$KEY npm run -s watch -- --url $URL --since-id 0'] : []),
  ];
}

function windowsCalls(address: string, secret: string): readonly string[] {
  return CALLS.map((path) => `curl.exe -H "Authorization: Bearer ${secret}" "${address}/api/v1${path}"`);
}
