import type { Customer, Visitor } from '../../../src/core/accounts/customers/customer.ts';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import type { ConversationDeps, Step } from './feature.ts';

/** A step for one of the customer's keys: the argument begins with its id, and `rest` is what follows. */
export function withOwnKey(
  customers: Pick<ConversationDeps['customers'], 'keysOf'>,
  step: (context: {
    visitor: Visitor;
    customer: Customer;
    key: ApiKey;
    rest: string;
  }) => Screen | Promise<Screen>,
): Step {
  return async ({ visitor, customer, argument }) => {
    const [id = '', ...rest] = argument.split(':');
    const key = (await customers.keysOf(customer.id)).find((own) => own.id === id);
    return key === undefined ? noSuchKeyScreen() : step({ visitor, customer, key, rest: rest.join(':') });
  };
}

/** The same answer for a revoked key, for one of another customer, and for an unknown one. */
export function noSuchKeyScreen(): Screen {
  return plainScreen('no_such_key', ['That key is not among yours.'], [[MY_KEYS_BUTTON, MENU_BUTTONS]]);
}
