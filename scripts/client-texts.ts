import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './command.ts'
import { sourceFiles } from './source-files.ts'

/** Where texts stand: the features' modules, what writes figures, and the tables of pages with their names. */
const ownTexts = /(^|[/-])texts\.tsx?$|^client\/ui\/format\.ts$|^client\/app\/routes-[\w-]+\.tsx?$/
/** Files whose texts are not shown on the screen. */
const unchecked = /\.test\.tsx?$|^client\/(testing|vite\.config)\.ts$/
/** A page that is a text as a whole has it in place. */
const isDocument = (path: string, text: string) =>
  path.startsWith('client/features/policies/') || /\/text-page\/TextPage\.tsx'/.test(text)

/** Properties that are shown or read out. */
const shown = new Set([
  ...['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'aria-valuetext'],
  ...['description', 'header', 'hint', 'label', 'placeholder', 'title'],
])
const word = /\p{L}{2}/u
/** A capitalized word with another one, or with something that is put in. */
const sentence = /(?:^|[\s“(])\p{Lu}[\p{Ll}’]+[,:]? [“(]?(?:\p{Ll}|\0)/u
/** Words of a protocol. */
const protocol = /^Bearer /

/**
 * Checks that what people read in the client stands in modules of texts: each feature's `texts.ts` or `…-texts.ts`.
 * @param folder of the project
 * @returns what stands elsewhere, one line each
 */
export async function checkClientTexts(folder = root): Promise<string[]> {
  const files = sourceFiles(folder).filter((path) => /^client\/.*\.tsx?$/.test(path))
  if (files.length === 0) return ['There is no file of the client to check.']
  return files
    .filter((path) => !ownTexts.test(path) && !unchecked.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      if (isDocument(path, text)) return []
      return textsIn(path, text).map(
        ({ line, found }) => `${path}:${line}: “${found}” belongs into the feature's texts.ts.`,
      )
    })
}

/** The texts of a file that people would read, each with its line. */
function textsIn(path: string, text: string): { line: number; found: string }[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: { line: number; found: string }[] = []
  const visit = (node: ts.Node): void => {
    // Types, names of files, and what only a log says.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isFailure(node)) return
    const words = wordsOf(node)
    if (words !== null && isRead(node, words)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({ line: line + 1, found: words.replaceAll('\0', '…').replace(/\s+/g, ' ').trim() })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The text of a literal, with a zero character for each thing that is put in; null for anything else. */
function wordsOf(node: ts.Node): string | null {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.templateSpans.reduce((words, { literal }) => `${words}\0${literal.text}`, node.head.text)
}

function isRead(node: ts.Node, words: string): boolean {
  if (ts.isJsxText(node) || shown.has(propertyOf(node))) return word.test(words)
  return sentence.test(words) && !protocol.test(words)
}

/** The property whose value this is, of an element or an object, a choice between two included; empty for anything else. */
function propertyOf(node: ts.Node): string {
  const { parent } = node
  if (ts.isJsxAttribute(parent)) return parent.name.getText()
  if (ts.isPropertyAssignment(parent) && parent.initializer === node)
    return ts.isStringLiteral(parent.name) ? parent.name.text : parent.name.getText()
  const isWithin =
    ts.isJsxExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent)
  const isCondition = ts.isConditionalExpression(parent) && parent.condition === node
  return isWithin && !isCondition ? propertyOf(parent) : ''
}

const isFailure = (node: ts.Node) =>
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
  (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword)
