import { join } from 'node:path'
import type { Plugin } from 'vite'
import { routes } from '../../contract/index.ts'
import { type Node, walk } from './syntax-tree.ts'

const TABLE = join(import.meta.dirname, '..', 'lib', 'routes.ts')

/** Writes method and path of each call in the place of its name, so that the table of all calls is in no chunk. */
export function callAddresses(): Plugin {
  return {
    name: 'call-addresses',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { code: 'routes' },
      async handler(code, id) {
        const { body } = this.parse(code) as unknown as { body: Node[] }
        const isImported = await Promise.all(
          body.map(async ({ type, source }) => {
            if (type !== 'ImportDeclaration' || !String(source?.value).endsWith('/routes.ts')) return false
            return (await this.resolve(String(source?.value), id))?.id === TABLE
          }),
        )
        if (!isImported.includes(true)) return null
        const changes: { start: number; end: number; text: string }[] = []
        for (const [at, statement] of body.entries()) {
          if (isImported[at]) changes.push({ start: statement.start, end: statement.end, text: '' })
          else {
            walk(statement, (node) => {
              if (node.type === 'Identifier' && node.name === 'routes')
                this.error(`${id}: a call is named where it is made, as in call(routes.login).`)
              if (node.type !== 'MemberExpression' || node.object?.name !== 'routes') return true
              const route = routes[node.property?.name as keyof typeof routes]
              if (node.computed || !route) this.error(`${id}: there is no call ${node.property?.name}.`)
              const { method, path } = route
              changes.push({ start: node.start, end: node.end, text: JSON.stringify({ method, path }) })
              return false
            })
          }
        }
        let written = code
        for (const { start, end, text } of changes.toSorted((one, other) => other.start - one.start))
          written = written.slice(0, start) + text + written.slice(end)
        return { code: written, map: null }
      },
    },
  }
}
