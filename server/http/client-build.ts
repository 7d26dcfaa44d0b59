import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstLook, readFirstLook } from './first-look.ts'

/** Where the build lists the scripts of each page (client/build/page-preloads.ts). */
export const PRELOADS = 'preloads.json'

/** The server's view of a build of the client. */
export type ClientBuild = {
  /** The document in parts: before the head, the end of the head, and the rest. */
  document: { beforeHead: string; beforeHeadEnd: string; afterHeadEnd: string }
  /** The URL of the entry script, different in each build; empty without a build. */
  entry: string
  /** Each page's scripts and styles besides the entry's; empty for an older build. */
  preloads: Record<string, string[]>
  /** The two typefaces that every page is written in, as `preloads` names files. */
  fonts: string[]
  look: FirstLook
}

/** Reads the build in this folder; without a folder, an empty document. */
export async function readClientBuild(clientDir: string | null, brand: string): Promise<ClientBuild> {
  const template = clientDir
    ? await readFile(join(clientDir, 'index.html'), 'utf8')
    : '<!doctype html><head><title>Fanfare</title></head><body></body>'
  // The server writes the head: the document's own title and description would duplicate it.
  const [beforeHead = '', afterHead = ''] = template
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .split(/<title>[^<]*<\/title>/)
  const headEnd = afterHead.indexOf('</head>')
  const preloads = clientDir ? await readFile(join(clientDir, PRELOADS), 'utf8').catch(() => '{}') : '{}'
  return {
    document: {
      beforeHead,
      beforeHeadEnd: afterHead.slice(0, headEnd),
      afterHeadEnd: afterHead.slice(headEnd),
    },
    entry: /<script type="module"[^>]*src="([^"]+)"/.exec(template)?.[1] ?? '',
    preloads: JSON.parse(preloads) as Record<string, string[]>,
    fonts: template.match(/assets\/[\w-]+-latin-wght-[\w-]+\.woff2/g) ?? [],
    look: await readFirstLook(clientDir, brand),
  }
}

/**
 * Caches what `read` makes of a build file and reads it again after another build replaced it, so that a running server
 * serves the new one. While the file is missing, the last result stays.
 */
export async function followed<Read>(
  file: string | null,
  read: () => Promise<Read>,
): Promise<() => Promise<Read>> {
  const changedAt = async () => {
    if (file === null) return null
    return stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
  }
  let known = await changedAt()
  let latest = await read()
  return async () => {
    const changed = await changedAt()
    if (changed === null || changed === known) return latest
    const fresh = await read().catch(() => null)
    if (fresh !== null) [latest, known] = [fresh, changed]
    return latest
  }
}
