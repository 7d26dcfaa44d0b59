import { join } from 'node:path'
import type { Plugin } from 'vite'
import { routes } from '../../contract/index.ts'
import { type Node, walk } from './syntax-tree.ts'

const CLIENT = join(import.meta.dirname, '..', '/')
const TABLE = join(CLIENT, 'lib', 'routes.ts')
const CONTRACT = join(CLIENT, '..', 'contract', 'routes', '/')

type Change = { start: number; end: number; text: string }
type Import = Node & { specifiers: (Node & { local: Node; imported?: Node })[] }

/**
 * Writes method and path of each call in the place of its name, so that the table of all calls is in no chunk. Where a
 * form names a call of the contract, `call(loginRoutes.login)`, the call brings its schema when it is asked for it.
 */
export function callAddresses(): Plugin {
  return {
    name: 'call-addresses',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { code: /routes/i },
      async handler(code, id) {
        if (!id.startsWith(CLIENT)) return null
        const { body } = this.parse(code) as unknown as { body: Node[] }
        /** The tables by the names that they have here, with where their schemas come from. */
        const tables = new Map<string, string | null>()
        const changes: Change[] = []
        for (const statement of body as Import[]) {
          const source = String(statement.source?.value)
          if (statement.type !== 'ImportDeclaration' || !source.startsWith('.')) continue
          const from = (await this.resolve(source, id))?.id ?? ''
          if (from !== TABLE && !from.startsWith(CONTRACT)) continue
          const names = statement.specifiers.map(({ local }) => local.name ?? '')
          const other = names.find((name) => from !== TABLE && !name.endsWith('Routes'))
          if (other) this.error(`${id}: ${other} would bring the schemas along.`)
          for (const name of names) tables.set(name, from === TABLE ? null : source)
          changes.push({ start: statement.start, end: statement.end, text: '' })
        }
        if (tables.size === 0) return null
        for (const statement of body) {
          if (statement.type === 'ImportDeclaration') continue
          walk(statement, (node) => {
            if (node.type === 'Identifier' && tables.has(node.name ?? ''))
              this.error(`${id}: a call is named where it is used, as in ${node.name}.login.`)
            const table = node.type === 'MemberExpression' ? (node.object?.name ?? '') : ''
            const source = tables.get(table)
            if (source === undefined) return true
            const name = node.property?.name as keyof typeof routes
            if (node.computed || !routes[name]) this.error(`${id}: there is no call ${name}.`)
            const { method, path } = routes[name]
            const call = `method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}`
            const whole =
              source === null ? '' : `, whole: () => import('${source}').then((all) => all.${table}.${name})`
            changes.push({ start: node.start, end: node.end, text: `{ ${call}${whole} }` })
            return false
          })
        }
        let written = code
        for (const { start, end, text } of changes.toSorted((one, other) => other.start - one.start))
          written = written.slice(0, start) + text + written.slice(end)
        return { code: written, map: null }
      },
    },
  }
}
