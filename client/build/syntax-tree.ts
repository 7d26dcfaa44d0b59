/** A node of a syntax tree (ESTree), as far as the plugins of this build look at one. */
export type Node = {
  type: string
  start: number
  end: number
  name?: string
  value?: unknown
  computed?: boolean
  key?: Node
  object?: Node
  property?: Node
  source?: Node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Visits the node and everything below it; not what is below a node of which `visit` says false. */
export function walk(node: Node, visit: (node: Node) => unknown): void {
  if (visit(node) === false) return
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, visit)
}

/** The property of this name of an object literal. */
export function propertyOf(object: Node, name: string): Node | undefined {
  const { properties = [] } = object as Node & { properties?: Node[] }
  const found = properties.find(({ key }) => key?.name === name || key?.value === name)
  return isNode(found?.value) ? found.value : undefined
}
