/** Something the user can mend: its message is shown as it is, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
