import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'
import { sourceFiles } from './source-files.ts'

const ownersFile = 'server/db/tables/owners.ts'
/** Writers of tables that aren't their owners: tests, sample data, and the schema's history. */
const unchecked = /^server\/(testing|sample|db\/migrations)\/|\.test\.ts$/
/** Erases by the list of personal data, whatever the tables are. */
const writesByName = new Set(['server/domains/compliance/erasure/actions.ts'])

const queryBuilder =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:(['"`])(\w+)|(?=[^'"`\s]))/g
const rawSql =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update(?=\s+(?:only\s+)?"?\w+"?\s+(?:as\s+\w+\s+)?set\b))\s+(?:only\s+)?(?:"?(\w+)"?|\$\{)/gi
/** Each function that stands by itself, up to the next declaration. */
const functions =
  /^(?:export )?(?:(?:async )?function (\w+)|const (\w+) =)[\s\S]*?(?=^(?:export|async|function|const|let|type|class)\b|^;)/gm
/** Stores messages of several conversations by one statement, which is a transaction of its own (decision 028). */
const writesAlone = new Set(['server/domains/messaging/messages/storing/actions.ts: insertMessages'])
const sqlTable = /\bsql\.table\(/g

/**
 * Checks that each table is written by its owner alone, by the list in `server/db/tables/owners.ts`, and that no SQL
 * writes by a `Db`, which may be the pool.
 * @param folder of the project
 * @returns what is wrong and what to do, one line each
 */
export async function checkTableWriters(folder = root): Promise<string[]> {
  const files = sourceFiles(folder).filter((path) => path.startsWith('server/') && !unchecked.test(path))
  if (files.length === 0) return ['There is no file of the server to check.']
  if (!existsSync(join(folder, ownersFile)))
    return [`${ownersFile} is missing: it says who writes which table.`]
  const { owners }: { owners: Record<string, string> } = await import(join(folder, ownersFile))
  const texts = files.map((path) => [path, code(readFileSync(join(folder, path), 'utf8'))] as const)
  return texts.flatMap(([path, text]) => [
    ...writersByPool(text)
      .filter((name) => !writesAlone.has(`${path}: ${name}`))
      .map((name) => `${path}: ${name} writes by a Db, which may be the pool; write by a Tx.`),
    ...writesOf(text).flatMap((table) => {
      if (table === null) {
        if (writesByName.has(path)) return []
        return [`${path}: writes a table that can't be read from the code; name the table.`]
      }
      const owner = owners[table]
      if (owner === undefined) return [`${path}: writes ${table}, which ${ownersFile} does not name.`]
      if (path.startsWith(`server/${owner}/`)) return []
      return [`${path}: writes ${table}, which is ${owner}'s; call an action of ${owner}.`]
    }),
  ])
}

const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

/** The functions whose SQL writes and is executed by what they were given as a `Db`, or by a context's. */
function writersByPool(text: string): string[] {
  return [...`${text}\n;`.matchAll(functions)].flatMap(([body, declared, named]) => {
    const pools = new Set([...body.matchAll(/\b(\w+): Db\b/g)].map(([, name = '']) => name))
    if (/\bdb\b[^()]*\}: Context\b|\{[^{}]*\bdb\b[^{}]*\} = (?:\w+\.)?context\b/.test(body)) pools.add('db')
    if (/\bcontext\b/.test(body)) pools.add('context.db')
    const isByPool = [...body.matchAll(rawSql)].some(({ index }) => {
      const [, by = ''] = /\.execute\(\s*([\w.]+)/.exec(body.slice(index)) ?? []
      return pools.has(by)
    })
    return isByPool ? [declared ?? named ?? ''] : []
  })
}

/** The tables that a file's code writes, each once; null stands for one that is named while it runs. */
function writesOf(code: string): (string | null)[] {
  const tables = [
    ...[...code.matchAll(queryBuilder)].map((match) => match[2] ?? null),
    ...[...code.matchAll(rawSql)].map((match) => match[1] ?? null),
    ...[...code.matchAll(sqlTable)].map(() => null),
  ]
  return [...new Set(tables)]
}
