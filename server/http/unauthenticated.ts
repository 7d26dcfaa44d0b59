/** Connections that haven’t authenticated yet, by their network. */
export type Unauthenticated = {
  /** Whether a network has reached its limit. */
  isFull(network: string): boolean
  add(connection: object, network: string): void
  /** Call it when a connection authenticates or ends; calling it again changes nothing. */
  remove(connection: object): void
}

/** Starts empty; each network may have `most`. */
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
