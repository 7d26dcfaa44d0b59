import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstLook, readFirstLook } from './first-look.ts'

/** Where the build says which scripts each page needs (client/build/page-preloads.ts). */
export const PRELOADS = 'preloads.json'

/** What the server knows of a build of the client. */
export type ClientBuild = {
  /** The document, in parts: the head's own place, the end of the head, and the rest. */
  document: { beforeHead: string; beforeHeadEnd: string; afterHeadEnd: string }
  /** The address of the script that begins it, another one with each build; empty without a build. */
  entry: string
  /** The scripts and styles of each page beside the entry's; empty for an older build. */
  preloads: Record<string, string[]>
  look: FirstLook
}

/** Reads the build in this folder; without one, an empty document. */
export async function readClientBuild(clientDir: string | null, brand: string): Promise<ClientBuild> {
  const template = clientDir
    ? await readFile(join(clientDir, 'index.html'), 'utf8')
    : '<!doctype html><head><title>Fanfare</title></head><body></body>'
  // The head is the server's: what the document brings along would stand beside it.
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
    look: await readFirstLook(clientDir, brand),
  }
}

/**
 * Answers what `read` makes of a file of the build, again once another build took its place, so that a server that runs
 * serves the new one. While there is no file, the last one stays.
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
