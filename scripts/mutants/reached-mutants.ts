/** One byte for each mutant by Stryker's number: 1 once instrumented code has reached it. */
const shared = globalThis as { mutantsReached?: Uint8Array };
shared.mutantsReached ??= new Uint8Array(10_000);

export const reachedMutants = shared.mutantsReached;

const HEADER = /function stryCov_9fa48\(\) \{.*?\n\}\n(?=function stryMutAct)/s;
const SWITCH = /function stryMutAct_9fa48\(id\) \{.*?\n\}\n/s;

/** Stryker's counters of each test make a detector ten times slower: a byte for each mutant is enough. */
export function withFastCounters(code: string): string {
  return code
    .replace(
      HEADER,
      `const strykerReached = globalThis.mutantsReached ??= new Uint8Array(10_000);
function stryCov_9fa48(...ids) { for (const id of ids) strykerReached[id] = 1; }
`,
    )
    .replace(SWITCH, 'function stryMutAct_9fa48() { return false; }\n');
}
