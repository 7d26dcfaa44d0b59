import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './command.ts'

/** A project of a few files in a folder of its own, with this one's settings and packages, for a test of the checks; it is removed with `using`. */
export function plantProject(files: Record<string, string>): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'tsconfig.json']) copyFileSync(join(root, name), join(folder, name))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
