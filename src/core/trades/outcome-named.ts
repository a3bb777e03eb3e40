/**
 * The index of the outcome with this name. -1 if there is none or more than one, and for an empty name: names may become equal when
 * their texts are cleaned.
 */
export function outcomeNamed(outcomes: readonly string[], name: string): number {
  const first = outcomes.indexOf(name);
  return name !== '' && first === outcomes.lastIndexOf(name) ? first : -1;
}
