/** Something only the user or operator can mend: its message says what would be right, and is shown without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
