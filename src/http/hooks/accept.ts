/**
 * The weight from 0 (excluded) to 1 that an `Accept` header gives a media type: that of the most specific range which covers
 * it (RFC 9110, 12.5.1). 1 for every type without the header.
 */
export function acceptWeight(accept: string | undefined, type: string): number {
  const items = (accept?.trim() || '*/*').split(',').map(weighed);
  for (const range of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const weights = items.filter(([name]) => name === range).map(([, weight]) => weight);
    if (weights.length > 0) return Math.max(...weights);
  }
  return 0;
}

/** Whether a client would rather have a page than data: a browser. A client that takes anything gets data. */
export function prefersPage(accept: string | undefined): boolean {
  return acceptWeight(accept, 'text/html') > acceptWeight(accept, 'application/json');
}

/** An item of a header of the `Accept` family, without its parameters, and its weight. */
export function weighed(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return [name, weight >= 0 && weight <= 1 ? weight : 0];
}
