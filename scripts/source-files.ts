import { globSync } from 'node:fs'

/** The folders of the project that hold code. */
export const sourceFolders = ['contract', 'server', 'sandbox', 'client', 'e2e', 'bench', 'scripts']

/** Every file of code below a project's folder, as paths relative to it with `/`, sorted. */
export function sourceFiles(folder: string): string[] {
  return globSync(['*.ts', ...sourceFolders.map((name) => `${name}/**/*`)], { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) =>
        /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith('client/dist/') && !path.includes('node_modules/'),
    )
    .sort()
}
