import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'
import { sourceFiles } from './source-files.ts'

const ownersFile = 'server/db/tables/owners.ts'
/** What fills tables without their owners: tests, sample data, the schema's own history. */
const unchecked = /^server\/(testing|sample|db\/migrations)\/|\.test\.ts$/
/** Erases by the list of personal data, whatever the tables are. */
const writesByName = new Set(['server/domains/compliance/erasure/actions.ts'])

const queryBuilder =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:(['"`])(\w+)|(?=[^'"`\s]))/g
const rawSql =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update(?=\s+(?:only\s+)?"?\w+"?\s+(?:as\s+\w+\s+)?set\b))\s+(?:only\s+)?(?:"?(\w+)"?|\$\{)/gi
const sqlTable = /\bsql\.table\(/g

/**
 * Checks that each table is written by its owner alone, by the list in `server/db/tables/owners.ts`.
 * @param folder of the project
 * @returns what is wrong and what to do, one line each
 */
export async function checkTableWriters(folder = root): Promise<string[]> {
  const files = sourceFiles(folder).filter((path) => path.startsWith('server/') && !unchecked.test(path))
  if (files.length === 0) return ['There is no file of the server to check.']
  if (!existsSync(join(folder, ownersFile)))
    return [`${ownersFile} is missing: it says who writes which table.`]
  const { owners }: { owners: Record<string, string> } = await import(join(folder, ownersFile))
  return files.flatMap((path) =>
    writesOf(readFileSync(join(folder, path), 'utf8')).flatMap((table) => {
      if (table === null) {
        if (writesByName.has(path)) return []
        return [`${path}: writes a table that can't be read from the code; name the table.`]
      }
      const owner = owners[table]
      if (owner === undefined) return [`${path}: writes ${table}, which ${ownersFile} does not name.`]
      if (path.startsWith(`server/${owner}/`)) return []
      return [`${path}: writes ${table}, which is ${owner}'s; call an action of ${owner}.`]
    }),
  )
}

/** The tables that a file's code writes, each once; null stands for one that is named while it runs. */
function writesOf(text: string): (string | null)[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const tables = [
    ...[...code.matchAll(queryBuilder)].map((match) => match[2] ?? null),
    ...[...code.matchAll(rawSql)].map((match) => match[1] ?? null),
    ...[...code.matchAll(sqlTable)].map(() => null),
  ]
  return [...new Set(tables)]
}
