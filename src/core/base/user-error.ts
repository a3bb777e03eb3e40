/** An error that only the user or operator can fix. Its message says what would be right and is shown without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
