/** `2026-11-02 14:00:00`, UTC. */
export function dateTime(at: number): string {
  return dateTimeWithT(at).replace('T', ' ');
}

/** `2026-11-02T14:00:00`, UTC. */
export function dateTimeWithT(at: number): string {
  return iso(at).slice(0, 19);
}

/** `2026-11-02T14:00:00.000Z`. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** The same; null for null. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
