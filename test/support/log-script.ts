import type { Statement } from '../../src/core/alerts/statements/statement-store.ts';
import type { Database } from '../../src/core/database.ts';
import type { BlindWindow } from '../../src/core/trades/coverage/blind-window.ts';
import { candidateOf } from './alerts.ts';
import { ledgerParts } from './ledger.ts';
import { START } from './rows.ts';

type Stores = Pick<Database, 'alerts' | 'settlements' | 'log' | 'coverage' | 'statements'>;
type Parts = ReturnType<typeof ledgerParts>;

/** What happens one after the other: rows are judged, and the world changes what is fed to the log. */
type Step =
  | { readonly kind: 'alert'; readonly key: string; readonly marketId: string }
  | { readonly kind: 'settle'; readonly marketId: string; readonly payouts: readonly number[] }
  | { readonly kind: 'window'; readonly window: BlindWindow }
  | { readonly kind: 'statement'; readonly statement: Omit<Statement, 'number' | 'at'> };

const WALLET = `0x${'a'.repeat(40)}`;
const alert = (key: string, marketId: string): Step => ({ kind: 'alert', key, marketId });
const settle = (marketId: string, ...payouts: number[]): Step => ({ kind: 'settle', marketId, payouts });

function window(startedAt: number, cause: BlindWindow['cause'], endedAt: number | null = null): Step {
  const id = `blind_${startedAt}`;
  return { kind: 'window', window: { id, startedAt, endedAt, cause, backfilledAt: null } };
}

function state(kind: Statement['kind'], given: Partial<Statement> = {}): Step {
  const plain = { wallet: WALLET, alertId: null, reason: 'a market maker', ...given };
  return { kind: 'statement', statement: { kind, ...plain } };
}

const STEPS: readonly Step[] = [
  alert('a', '0xm1'),
  alert('b', '0xm2'),
  window(START + 10, 'unreachable'),
  settle('0xm1', 1, 0),
  window(START + 10, 'stalled'),
  alert('c', '0xm1'),
  state('annotate'),
  settle('0xm2', 0, 1),
  window(START + 10, 'stalled', START + 90),
  window(START + 90, 'unconfirmed'),
  settle('0xm1', 0, 1),
  state('withdraw', { wallet: null, alertId: 2, reason: null }),
  state('hide'),
  alert('d', '0xm3'),
  settle('0xm1', 1, 0),
  window(START + 90, 'stopped', START + 95),
  alert('e', '0xm1'),
];

export const KINDS = [
  ...['software', 'rules', 'alert', 'alert', 'blind_opened', 'outcome', 'alert', 'annotation', 'outcome'],
  ...['blind_closed', 'blind_opened', 'correction', 'withdrawal', 'annotation', 'alert', 'correction'],
  ...['blind_closed', 'alert'],
];

const timeOf = (index: number) => START + index * 1_000;

/** The world around the processes. What it did it has done, however many of them were killed. */
export class LogScript {
  readonly #database: Stores;
  #reached = -1;

  constructor(database: Stores) {
    this.#database = database;
  }

  /** One process over the stores, from its start: it judges all rows from the first on, and looks at what is fed. */
  async play(stores: Stores, parts: Parts = ledgerParts(stores)): Promise<void> {
    await parts.ledger.open();
    for (const draft of parts.runEntries) await parts.writer.appendAgain({ ...draft, at: START });
    for (const [index, step] of STEPS.entries()) {
      if (index > this.#reached) await this.#happen(step, index);
      this.#reached = Math.max(this.#reached, index);
      await this.#judge(step, index, parts);
    }
  }

  async #happen(step: Step, index: number): Promise<void> {
    if (step.kind === 'window') await this.#database.coverage.putWindow(step.window);
    if (step.kind === 'statement')
      await this.#database.statements.append({ ...step.statement, at: timeOf(index) });
  }

  async #judge(step: Step, index: number, { ledger, logRecorder: feeder }: Parts): Promise<void> {
    const at = timeOf(index);
    if (step.kind === 'alert') {
      const candidate = candidateOf({ key: step.key, marketId: step.marketId });
      await ledger.append([{ candidate, tradedAt: at, detectedAt: at, isHistory: false }]);
    } else if (step.kind === 'settle') {
      const { marketId: id, payouts } = step;
      await ledger.resolve({ id, outcomes: ['Yes', 'No'], payouts }, at);
    } else await feeder.look(() => timeOf(this.#reached));
  }
}
