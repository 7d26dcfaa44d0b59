export const RECOVERY_CODES = 10
/** One symbol a byte: 50 random bits in ten symbols. */
export const RECOVERY_CODE_BYTES = 10

/** A recovery code as people read it: two groups of five. */
export function groupedCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`
}
