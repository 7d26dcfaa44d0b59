/** A fresh key for one attempt to create or charge something; kept by the caller until it is answered (docs/product.md, Calls). */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
