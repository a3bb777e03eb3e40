export function mixed(no: number, salt: number): number {
  let bits = Math.imul(no ^ Math.imul(salt + 1, 0x9e3779b1), 0x85ebca6b) ^ Math.floor(no / 2 ** 32);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x27d4eb2f);
  return (bits ^ (bits >>> 15)) >>> 0;
}

export function part(no: number, salt: number): number {
  return mixed(no, salt) / 2 ** 32;
}
