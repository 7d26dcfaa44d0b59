import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import ts from 'typescript'
import { expect, inject, test } from 'vitest'
import { cloneTemplate } from '../../testing/template.ts'
import { owners } from './owners.ts'

type Column = { kind: string; nullable: boolean }
type Shape = Record<string, Record<string, Column>>

/** The driver's JavaScript type for a column, by the database's name of its type. */
const kinds: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  citext: 'string',
  tsvector: 'string',
  numeric: 'string',
  xid8: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'Date',
  date: 'Date',
  bytea: 'Buffer',
  _int2: 'number[]',
  jsonb: 'object',
  json: 'object',
  _uuid: 'string[]',
  _text: 'string[]',
  // The database alone reckons with them.
  interval: 'unknown',
}

test('the types of the tables say what the migrated database has', async () => {
  // A view's columns may be null as far as the database says, so it is left out.
  const { unlocked_media: _view, purchases: _orders, ...tables } = declaredTables()
  expect(tables).toEqual(await migratedTables())
})

/** Tables that no query of ours names: those of the migrations themselves. */
const FOREIGN = ['kysely_migration', 'kysely_migration_lock']

async function migratedTables(): Promise<Shape> {
  const database = await cloneTemplate(inject('databaseUrl'))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{
      table_name: string
      column_name: string
      udt_name: string
      nullable: boolean
    }>(
      `select table_name, column_name, udt_name, is_nullable = 'YES' as nullable
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)`,
      [FOREIGN],
    )
    const shape: Shape = {}
    for (const { table_name, column_name, udt_name, nullable } of rows) {
      shape[table_name] ??= {}
      shape[table_name][column_name] = { kind: kinds[udt_name] ?? udt_name, nullable }
    }
    return shape
  } finally {
    await client.end()
    await database.drop()
  }
}

function declaredTables(): Shape {
  const client = parse(join(import.meta.dirname, '..', 'client.ts'))
  const files = importsOf(client).filter((path) => path.includes('/tables/'))
  const shape: Shape = {}
  for (const path of files) {
    const file = parse(path)
    for (const [name, type] of aliasesOf(file)) {
      if (!name.endsWith('Tables') || !ts.isTypeLiteralNode(type)) continue
      for (const [table, columns] of membersOf(type)) {
        if (!ts.isTypeLiteralNode(columns)) throw new Error(`${table} is declared in another way`)
        shape[table] = Object.fromEntries(
          membersOf(columns).map(([column, its]) => [column, read(its, file)]),
        )
      }
    }
  }
  expect(Object.keys(shape).sort()).toEqual(Object.keys(owners).sort())
  return shape
}

/** The type that reading a column gives. */
function read(type: ts.TypeNode, file: ts.SourceFile): Column {
  if (ts.isTypeReferenceNode(type)) {
    const [first] = type.typeArguments ?? []
    switch (type.typeName.getText(file)) {
      case 'Generated':
      case 'GeneratedAlways':
      case 'ColumnType':
        return read(must(first), file)
      case 'JSONColumnType':
        return { kind: 'object', nullable: / null/.test(must(first).getText(file)) }
    }
  }
  const parts = ts.isUnionTypeNode(type) ? [...type.types] : [type]
  const isNull = (part: ts.TypeNode) =>
    ts.isLiteralTypeNode(part) && part.literal.kind === ts.SyntaxKind.NullKeyword
  const found = new Set(parts.filter((part) => !isNull(part)).map((part) => kindOf(part, file)))
  return { kind: [...found].join(' or '), nullable: parts.some(isNull) }
}

function kindOf(type: ts.TypeNode, file: ts.SourceFile): string {
  if (ts.isLiteralTypeNode(type))
    return ts.isStringLiteral(type.literal) ? 'string' : type.literal.getText(file)
  if (ts.isArrayTypeNode(type)) {
    const element = kindOf(type.elementType, file)
    return element === 'string' || element === 'number' ? `${element}[]` : 'object'
  }
  if (ts.isTypeLiteralNode(type)) return 'object'
  if (ts.isIndexedAccessTypeNode(type) && (areTexts(type, file) || isEventKind(type, file))) return 'string'
  if (type.getText(file) === '(typeof TERM_MONTHS)[number]') return 'number'
  if (!ts.isTypeReferenceNode(type)) return type.getText(file)
  const name = type.typeName.getText(file)
  if (name === 'Exclude') return read(must(type.typeArguments?.[0]), file).kind
  if (name === 'z.output') return 'string'
  if (name === 'Record') return 'object'
  const alias = aliasesOf(file).get(name)
  if (alias) return read(alias, file).kind
  for (const path of importsOf(file)) {
    const other = parse(path)
    const imported = aliasesOf(other).get(name)
    if (imported) return read(imported, other).kind
  }
  return name
}

/** Whether the type is the name of one of the contract's events, which are texts. */
const isEventKind = (type: ts.IndexedAccessTypeNode, file: ts.SourceFile) =>
  type.getText(file) === "NotificationEvent['kind']"

/** Whether the type is `(typeof LIST)[number]` of a list of texts in the same file. */
function areTexts(type: ts.IndexedAccessTypeNode, file: ts.SourceFile): boolean {
  const list = /^\(typeof (\w+)\)\[number\]$/.exec(type.getText(file))?.[1]
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText(file) === list)?.initializer
  if (!declared || !ts.isAsExpression(declared) || !ts.isArrayLiteralExpression(declared.expression))
    return false
  return declared.expression.elements.every(ts.isStringLiteral)
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
}

function importsOf(file: ts.SourceFile): string[] {
  return file.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file.fileName), name))
}

function aliasesOf(file: ts.SourceFile): Map<string, ts.TypeNode> {
  return new Map(
    file.statements.filter(ts.isTypeAliasDeclaration).map(({ name, type }) => [name.text, type] as const),
  )
}

function membersOf(type: ts.TypeLiteralNode): [string, ts.TypeNode][] {
  return type.members.flatMap((member) =>
    ts.isPropertySignature(member) && member.type ? [[member.name.getText(), member.type] as const] : [],
  ) as [string, ts.TypeNode][]
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a type without its argument')
  return value
}
