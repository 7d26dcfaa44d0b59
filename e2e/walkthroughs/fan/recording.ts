import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

/** Everything that a browser received: each answer with its body, from the moment on when it began. */
export type Recording = {
  answers(): Promise<Answer[]>
  /** Answers whose body the browser didn't keep, as of a stream that broke off. */
  unread: string[]
}
export type Answer = { url: string; status: number; type: string; body: Buffer }

/** Records what all pages of this browser receive, as a recorder on the network would. */
export function record(context: BrowserContext): Recording {
  const underWay: Promise<Answer | null>[] = []
  const unread: string[] = []
  context.on('response', (response) => {
    const [url, status] = [response.url(), response.status()]
    const type = response.headers()['content-type'] ?? ''
    underWay.push(
      response.body().then(
        (body) => ({ url, status, type, body }),
        () => {
          if (status === 200 || status === 206) unread.push(url)
          return null
        },
      ),
    )
  })
  return {
    unread,
    answers: async () => (await Promise.all(underWay)).filter((answer) => answer !== null),
  }
}

/** Pieces of files by which these are recognized wherever they turn up. */
export type Pieces = { find(body: Buffer): string | null; count: number; bytes: number }

const PIECE = 32
const EVERY = 256
/** A piece of fewer different bytes than this may stand in any file. */
const VARIETY = 16

type Known = { name: string; bytes: Buffer }

/** Takes pieces from each file, but none that stand in `others` as well, such as headers. */
export function piecesOf(files: readonly Known[], others: readonly Buffer[]): Pieces {
  const index = new Map<number, { piece: Buffer; name: string }[]>()
  const find = (body: Buffer): string | null => {
    for (let at = 0; at + PIECE <= body.length; at++) {
      const found = index
        .get(body.readUInt32LE(at))
        ?.find(({ piece }) => piece.equals(body.subarray(at, at + PIECE)))
      if (found) return found.name
    }
    return null
  }
  let count = 0
  for (const { name, bytes } of files) {
    for (let at = 0; at + PIECE <= bytes.length; at += EVERY) {
      const piece = bytes.subarray(at, at + PIECE)
      if (new Set(piece).size < VARIETY || others.some((other) => other.includes(piece))) continue
      const key = piece.readUInt32LE(0)
      index.set(key, [...(index.get(key) ?? []), { piece, name }])
      count += 1
    }
  }
  return { find, count, bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

/** Every file that the product keeps of an item: the variants of a picture, video, poster, streams. */
export async function storedFiles(dataDir: string, mediaId: string): Promise<Known[]> {
  const folder = join(dataDir, 'media', 'media', mediaId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => ({
        name: `${mediaId}/${name}`,
        bytes: await readFile(join(parentPath, name)),
      })),
  )
}

/** What a body holds in other clothes: long stretches of Base64, as in a `data:` address. */
export function unwrapped(body: Buffer): Buffer[] {
  const texts = body.toString('latin1').match(/[A-Za-z0-9+/_-]{400,}/g) ?? []
  return texts.map((text) => Buffer.from(text, 'base64'))
}
