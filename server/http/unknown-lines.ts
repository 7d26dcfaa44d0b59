/** Lines that haven’t said yet whose they are, each under the network that it came from. */
export type UnknownLines = {
  /** Whether a network has as many as it may have. */
  isFull(network: string): boolean
  add(line: object, network: string): void
  /** It said whose it is, or ended; again, that changes nothing. */
  remove(line: object): void
}

/** Begins with none; a network may have `most`. */
export function createUnknownLines(most: number): UnknownLines {
  const counts = new Map<string, number>()
  const networks = new Map<object, string>()
  return {
    isFull: (network) => (counts.get(network) ?? 0) >= most,
    add(line, network) {
      networks.set(line, network)
      counts.set(network, (counts.get(network) ?? 0) + 1)
    },
    remove(line) {
      const network = networks.get(line)
      if (network === undefined) return
      networks.delete(line)
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    },
  }
}
