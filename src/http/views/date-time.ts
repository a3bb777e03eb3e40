export function dateTime(at: number): string {
  return dateTimeWithT(at).replace('T', ' ');
}

export function dateTimeWithT(at: number): string {
  return iso(at).slice(0, 19);
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
