/** The value below which this share of them lies. */
export function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** The middle one, the greater of two. */
export function median(values: number[]): number {
  return quantile(values, 0.5)
}
