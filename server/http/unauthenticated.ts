/** Connections that haven’t authenticated yet, each under the network that it came from. */
export type Unauthenticated = {
  /** Whether a network has as many as it may have. */
  isFull(network: string): boolean
  add(connection: object, network: string): void
  /** It authenticated, or ended; again, that changes nothing. */
  remove(connection: object): void
}

/** Begins with none; a network may have `most`. */
export function createUnauthenticated(most: number): Unauthenticated {
  const counts = new Map<string, number>()
  const networks = new Map<object, string>()
  return {
    isFull: (network) => (counts.get(network) ?? 0) >= most,
    add(connection, network) {
      networks.set(connection, network)
      counts.set(network, (counts.get(network) ?? 0) + 1)
    },
    remove(connection) {
      const network = networks.get(connection)
      if (network === undefined) return
      networks.delete(connection)
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    },
  }
}
