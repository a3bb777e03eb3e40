/**
 * The index of the outcome with this name. -1 where none has it or more than one does, and for an empty name: two names
 * that differed only in what is not kept of a text are equal afterwards.
 */
export function outcomeNamed(outcomes: readonly string[], name: string): number {
  const first = outcomes.indexOf(name);
  return name !== '' && first === outcomes.lastIndexOf(name) ? first : -1;
}
