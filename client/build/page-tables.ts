import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { type Node, propertyOf, walk } from './syntax-tree.ts'

const APP = join(import.meta.dirname, '..', 'app')
const DASHBOARD = join(APP, 'routes-dashboard.tsx')
/** The tables of pages, with what comes along with the first of each (client/app/router.tsx). */
const TABLES: readonly { table: string; along: readonly string[]; hasFields?: true }[] = [
  { table: join(APP, 'routes-public.ts'), along: [] },
  { table: join(APP, 'routes-occasional.ts'), along: [join(APP, 'routes-occasional.ts')] },
  { table: DASHBOARD, along: [DASHBOARD], hasFields: true },
  {
    table: join(APP, 'routes-promotion.tsx'),
    along: [join(APP, 'routes-promotion.tsx'), DASHBOARD],
    hasFields: true,
  },
]

type Page = { path: string; title: string; guarded: boolean; plain: boolean; imports: string[] }

/** Every page of the client with the table that it stands in, as the build knows them when it writes its files. */
export function pagesOf(build: Rolldown.PluginContext): (Page & (typeof TABLES)[number])[] {
  return TABLES.flatMap((table) => {
    const { code } = build.getModuleInfo(table.table) ?? {}
    return pagesIn(build.parse(code ?? '') as unknown as Node).map((page) => ({ ...page, ...table }))
  })
}

/** The pages of a table, `{ path, guard?, load: () => import('…') }`, with all that each imports when it is opened. */
function pagesIn(program: Node): Page[] {
  const pages: Page[] = []
  // Properties that several pages share are written once, before the table.
  const named = new Map<string, Node>()
  walk(program, (node) => {
    const { id, init } = node as Node & { id?: Node; init?: Node }
    if (node.type === 'VariableDeclarator' && id?.name && init) named.set(id.name, init)
    if (node.type !== 'ObjectExpression') return true
    const path = propertyOf(node, 'path')?.value
    const title = String(propertyOf(node, 'title')?.value)
    if (typeof path !== 'string') return true
    const imports: string[] = []
    const collect = (part: Node): unknown => {
      if (part.type === 'ImportExpression') imports.push(String(part.source?.value))
      return true
    }
    for (const part of [propertyOf(node, 'begin'), propertyOf(node, 'load')])
      if (part) walk(named.get(part.name ?? '') ?? part, collect)
    const has = (name: string) => propertyOf(node, name) !== undefined
    pages.push({ path, title, guarded: has('guard'), plain: has('plain'), imports })
    return false
  })
  return pages
}
