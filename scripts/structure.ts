import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './command.ts'
import { sourceFiles } from './source-files.ts'

const domains = [
  'identity',
  'notifications',
  'profiles',
  'media',
  'commerce',
  'messaging',
  'promotion',
  'compliance',
  'site',
]
const domainFiles = ['routes.ts', 'rules.ts', 'data.ts', 'actions.ts', 'present.ts', 'jobs.ts', 'realtime.ts']
const long = 400

/**
 * Checks the structure of the project's folders that no other tool knows.
 * @param folder of the project
 * @returns what is wrong and what to do, one line each
 */
export async function checkStructure(folder = root): Promise<string[]> {
  const files = sourceFiles(folder)
  if (files.length === 0) return ['There is no file to check.']
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return [
    ...files.flatMap(wrongName),
    ...files.flatMap((path) => outOfPlace(path, new Set(files))),
    ...files
      .filter((path) => /^server\/domains\/.*\/rules\.ts$/.test(path))
      .flatMap((path) => impure(path, read(path))),
    ...files
      .filter((path) => /^server\//.test(path) && !ownClock.test(path))
      .flatMap((path) => otherClock(path, read(path))),
    ...files.filter((path) => !ownRoles.test(path)).flatMap((path) => roleByName(path, read(path))),
    ...files
      .filter((path) => /^server\//.test(path) && !ownEntitlements.test(path))
      .flatMap((path) => readsEntitlements(path, read(path))),
    ...files
      .filter((path) => /^client\/.*\.tsx$/.test(path))
      .flatMap((path) => pageOutOfPlace(path, read(path))),
    ...files
      .filter((path) => /^client\/.*\.tsx?$/.test(path) && path !== lazyParts)
      .flatMap((path) => uncontained(path, read(path))),
    ...files
      .filter((path) => /^client\/.*\.tsx$/.test(path) && !ownReadings.includes(path))
      .flatMap((path) => otherReading(path, read(path))),
    ...files.flatMap((path) => wrongCitations(path, read(path), folder)),
    ...files
      .filter((path) => /^((main|product)\.ts$|server\/)/.test(path))
      .filter((path) => !ownTime.test(path))
      .flatMap((path) => systemClock(path, read(path))),
    ...documentsOf(folder).flatMap((path) => lostPaths(path, read(path), folder)),
    ...documentsOf(folder).flatMap((path) => incompleteDecision(path, read(path))),
    ...(await personalDataProblems(folder, files.filter(isMigration).map(read))),
  ]
}

function wrongName(path: string): string[] {
  const name = basename(path)
  const words = path.replace(/\.[^/]*$/, '').split('/')
  if (words.some((word) => /^(utils?|helpers?|misc|common)$/.test(word))) {
    return [`${path}: name it after what it does; there are no utils, helpers, misc or common.`]
  }
  if (
    /^index\.(ts|tsx|mjs)$/.test(name) &&
    path !== 'contract/index.ts' &&
    path !== 'server/db/migrations/index.ts'
  ) {
    return [`${path}: import the file itself; there are no barrels.`]
  }
  const [, domain] = /^server\/domains\/([^/]+)/.exec(path) ?? []
  if (domain === undefined) return []
  if (!domains.includes(domain)) return [`${path}: the domains are ${domains.join(', ')}.`]
  if (domainFiles.includes(name) || name.endsWith('.test.ts')) return []
  return [`${path}: the files of a domain are ${domainFiles.join(', ')} and *.test.ts, in sub-folders too.`]
}

/** Files that may want to become a folder, one line each; a hint, as length alone is nothing wrong. */
export function longFiles(folder = root): string[] {
  return sourceFiles(folder).flatMap((path) => {
    const lines = readFileSync(join(folder, path), 'utf8').split('\n').length - 1
    return lines > long ? [`${path} has ${lines} lines: would it read better as a folder?`] : []
  })
}

/** The calls of a domain stand in a folder or a file of its name, and there under the name of the folder that handles them. */
function outOfPlace(path: string, files: ReadonlySet<string>): string[] {
  const [, domain = '', , part] = /^contract\/routes\/([^/.]+)(\/([^/]+))?\.ts$/.exec(path) ?? []
  if (domain !== '' && !domains.includes(domain))
    return [`${path}: the calls stand by domain, as server/domains does: ${domains.join(', ')}.`]
  const handled = part === undefined || part === domain ? domain : `${domain}/${part}`
  if (domain !== '' && !files.has(`server/domains/${handled}/routes.ts`))
    return [`${path}: its calls are handled in server/domains/${handled}/routes.ts, which is not there.`]
  const [, folder] = /^server\/domains\/([^/]+\/[^/]+)\/routes\.ts$/.exec(path) ?? []
  if (folder !== undefined && !files.has(`contract/routes/${folder}.ts`))
    return [`${path}: its calls are declared in contract/routes/${folder}.ts, which is not there.`]
  return []
}

/** A page stands in its feature, in a file that is called after it; what stands in the app's pages composes several. */
function pageOutOfPlace(path: string, text: string): string[] {
  const isPage = /\bexport function Component\b|\bas Component\b/.test(text)
  if (isPage && !path.endsWith('Page.tsx')) return [`${path}: the file of a page is called …Page.tsx.`]
  if (!isPage || !path.startsWith('client/app/pages/')) return []
  const features = new Set([...text.matchAll(/\/features\/(\w+)\//g)].map(([, feature]) => feature))
  return features.size > 1 ? [] : [`${path}: a page of one feature stands in client/features/.`]
}

/** Gives lazily loaded code an error boundary and a retry. */
const lazyParts = 'client/ui/lazy-part.tsx'

/** With React's own `lazy`, a chunk that fails to load breaks the whole page. */
function uncontained(path: string, text: string): string[] {
  const found = /\bimport\b[^;'"]*\blazy\b[^;'"]*['"]react['"]|\bReact\.lazy\b/.exec(code(text))
  return found ? [`${path}: takes React's lazy; use lazyPart or lazyExtra of ${lazyParts}.`] : []
}

/** The components that show the result of a query: of one thing, and of a list. */
const ownReadings = ['client/ui/Fetched.tsx', 'client/ui/list/GrowingList.tsx']

/** A page that replaces itself with an error when a query fails would lose what was typed. */
function otherReading(path: string, text: string): string[] {
  const source = code(text)
  const retries = /<ErrorState\b(?:(?!\/>)[\s\S])*\bonRetry\b/.test(source)
  const reads = /\buse(?:Queries|Query|InfiniteQuery|List)\(|\brefetch\b/.test(source)
  const found = retries && reads
  return found ? [`${path}: shows that a reading failed; ${ownReadings.join(' and ')} do.`] : []
}

/** A comment that cites a document names one that is there, and a heading that stands in it. */
function wrongCitations(path: string, text: string, folder: string): string[] {
  if (path.startsWith('scripts/')) return []
  const joined = text.replace(/\n\s*(\*|\/\/) /g, ' ')
  return [...joined.matchAll(/\b(docs\/[\w./-]+\.md)(?:, ([A-Z][\w ]+))?/g)].flatMap(
    ([cited, file = '', after]) => {
      const document = join(folder, file)
      if (!existsSync(document)) return [`${path}: cites ${file}, which is not there.`]
      const headings = [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, name = '']) => name,
      )
      if (after === undefined || headings.some((name) => after.startsWith(name))) return []
      return [`${path}: cites “${cited}”, but ${file} has no such heading.`]
    },
  )
}

/** The documents that are kept true; decision records among them. */
function documentsOf(folder: string): string[] {
  const at = join(folder, 'docs')
  if (!existsSync(at)) return []
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
}

const rooms = 'server|client|contract|e2e|bench|scripts|sandbox|docs'
const pathInCode = new RegExp(
  String.raw`\x60(?:node )?((?:${rooms})/[\w./-]+\.\w+|[\w./-]+\.(?:test|story)\.tsx?)\x60`,
  'g',
)

/** A document names files by their whole path, and those that are there. */
function lostPaths(path: string, text: string, folder: string): string[] {
  return [...text.matchAll(pathInCode)].flatMap(([, file = '']) =>
    existsSync(join(folder, file)) ? [] : [`${path}: names ${file}, which is not there.`],
  )
}

/** A decision record says in this order why, what, what else there was, and what follows. */
function incompleteDecision(path: string, text: string): string[] {
  if (!path.startsWith('docs/decisions/')) return []
  const parts = ['Context', 'Decision', 'Alternatives', 'Consequences']
  const found = [...text.matchAll(/^(\w+):/gm)].flatMap(([, name = '']) =>
    parts.includes(name) ? [name] : [],
  )
  return found.join() === parts.join()
    ? []
    : [`${path}: a decision record has the parts ${parts.join(', ')}, each once and in this order.`]
}

function impure(path: string, text: string): string[] {
  const found =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bcrypto\.|\bprocess\.|\bperformance\.|\bfetch\(|\bawait\b/.exec(
      text,
    )
  return found ? [`${path}: rules are pure, so ${found[0]} does not belong here; pass in what it gives.`] : []
}

/** The queue goes by the database's clock, and so do defaults in the schema's history and what only tests do. */
const ownClock = /^server\/(jobs|db\/migrations|testing|sample)\/|\.test\.ts$/

/** The database's clock doesn't know when ours is moved, so moments come in as parameters. */
function otherClock(path: string, text: string): string[] {
  const found =
    /(?<![.\w$])now\(\)(?!\s*:)|\b(?:current_(?:timestamp|date|time)|localtimestamp|localtime)\b|\b(?:clock|statement|transaction)_timestamp\(/i.exec(
      code(text),
    )
  return found ? [`${path}: ${found[0]} is the database's clock; pass in what ours says.`] : []
}

/** How long something on this machine takes goes by the system's clock, and so does the one source of time itself. */
const ownTime =
  /^server\/(clock\.ts$|ports\/|db\/(embedded|migrations)\/|domains\/.*\/rules\.ts$|testing|sample)|\.test\.ts$/

/** The system's clock doesn't know when ours was moved. */
function systemClock(path: string, text: string): string[] {
  const found = /\bnew Date\(\)|\bDate\.now\(/.exec(code(text))
  return found ? [`${path}: ${found[0]} is the system's clock; ask ours, server/clock.ts.`] : []
}

/** Only the contract says what a role may do; the schema's history and tests may name one. */
const ownRoles =
  /^contract\/permissions\.ts$|^server\/(db\/migrations|testing|sample)\/|^(e2e|bench|scripts)\/|\.test\.tsx?$/

/** Code asks for permissions, never for the name of a role. */
function roleByName(path: string, text: string): string[] {
  const found =
    /(?:[!=]==?|['"](?:=|!=|<>|in|not in)['"],|\brole\s*(?:=|!=|<>|in))\s*[([]*\s*['"](superadmin|reviewer|support|finance)['"]|['"](superadmin|reviewer|support|finance)['"]\s*[!=]==?/.exec(
      code(text),
    )
  const present =
    /!\w+\??\.role\b|\bif \([^()]*\.role\)|\.role\s*(?:&&|\?\s|[!=]==?\s*(?:null|undefined)\b)|\brole(?:['"],\s*['"])?\s*is (?:not )?null|role['"],\s*['"]is(?: not)?['"],\s*null/.exec(
      code(text),
    )
  if (present && !found)
    return [`${path}: asks whether there is a role; ask can(…) or isOperator(…) of contract/permissions.ts.`]
  if (!found) return []
  return [
    `${path}: compares with the role ${found[1] ?? found[2]}; ask can(…) or rolesWith(…) of contract/permissions.ts.`,
  ]
}

/** Besides their own folder: the schema's history, and what only tests and the sample do. */
const ownEntitlements =
  /^server\/domains\/media\/entitlements\/|^server\/(db\/migrations|testing|sample)\/|\.test\.ts$/

/** Beside their owner: the export of a person's data, and the counts of subscriptions by post. */
const ownSubscriptions =
  /^server\/domains\/(?:commerce|identity\/customers|compliance\/exports|promotion\/attribution)\//

/** Only one module says who owns, bought or subscribes, so no other reads its tables. */
function readsEntitlements(path: string, text: string): string[] {
  const reads =
    /\b(?:from|join)\s+(entitlement\w*|subscriptions)\b|(?:selectFrom|Join)\(\s*\[?['"](entitlement\w*|subscriptions\b)/g
  const [found] = [...code(text).matchAll(reads)]
    .map(([, inSql, byBuilder]) => inSql ?? byBuilder)
    .filter((table) => table !== 'subscriptions' || !ownSubscriptions.test(path))
  if (found === undefined) return []
  const asked = found === 'subscriptions' ? 'identity/customers' : 'media/entitlements'
  return [`${path}: reads ${found}; ask server/domains/${asked}/data.ts who owns, bought or subscribes.`]
}

const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

const isMigration = (path: string) => /^server\/db\/migrations\/\d{4}-[^/]+\.ts$/.test(path)

/** Every table that the migrations leave behind must say what account erasure does with it. */
async function personalDataProblems(folder: string, migrations: string[]): Promise<string[]> {
  const list = 'server/db/personal-data.ts'
  const tables = tablesOf(migrations.join('\n'))
  if (migrations.length === 0) return []
  if (tables.size === 0) return ['server/db/migrations: no table was found in the migrations.']
  if (!existsSync(join(folder, list)))
    return [`${list} is missing: it says what account erasure does with each table.`]
  const { personalData }: { personalData: Record<string, string> } = await import(join(folder, list))
  const declared = Object.entries(personalData)
  return [
    ...[...tables]
      .filter((table) => !(table in personalData))
      .map((table) => `${list}: table ${table} is missing; say whether account erasure erases it.`),
    ...declared
      .filter(([table]) => !tables.has(table))
      .map(([table]) => `${list}: no migration creates ${table}.`),
    ...declared
      .filter(([, fate]) => !/^(erased|none|kept: .{8,})$/.test(fate))
      .map(([table]) => `${list}: ${table} is 'erased', 'none' or 'kept: <reason>'.`),
  ]
}

/** The tables that are there after these statements, in SQL or Kysely's words, in their order. */
function tablesOf(text: string): Set<string> {
  const tables = new Set<string>()
  const statement =
    /(create (?:unlogged )?table(?: if not exists)?|drop table(?: if exists)?|createTable\(|dropTable\(|alter table (?:if exists )?["\w.]+ rename to)\s*['"`]?([\w.]+)/gi
  for (const [words, action = '', table = ''] of text.matchAll(statement)) {
    const [, renamed] = /alter table (?:if exists )?["']?([\w.]+)/i.exec(words) ?? []
    if (renamed) tables.delete(renamed)
    if (/^drop/i.test(action)) tables.delete(table)
    else tables.add(table)
  }
  return tables
}
