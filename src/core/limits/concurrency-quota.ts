/** How many of something, sockets for one, each key holds in this process. */
export interface ConcurrencyQuota {
  /** Takes a place; null when `most` are taken. What is returned gives it back, and does so once. */
  take(keyId: string, most: number): (() => void) | null;
}

/** Places, none of them taken. */
export function createConcurrencyQuota(): ConcurrencyQuota {
  const taken = new Map<string, number>();
  return {
    take(keyId, most) {
      const count = taken.get(keyId) ?? 0;
      if (count >= most) return null;
      taken.set(keyId, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (taken.get(keyId) ?? 0) - 1;
        if (left > 0) taken.set(keyId, left);
        else taken.delete(keyId);
      };
    },
  };
}
