import { type Store, store } from '../../../lib/storage.ts'

/** One file that is on its way, as its browser knew it, so that only the same file resumes after a reload. */
export type Remembered = { uploadId: string; name: string; size: number; lastModified: number }

type LocalFile = Pick<File, 'name' | 'size' | 'lastModified'>

const MAX_REMEMBERED = 100
const keyOf = (personId: string) => `uploads.${personId}`

/** The files that this person began to send from this browser, oldest first. */
export function rememberedBy(personId: string, from: Store = store): Remembered[] {
  try {
    const found: unknown = JSON.parse(from.getItem(keyOf(personId)) ?? '[]')
    return Array.isArray(found) ? found.filter(isRemembered) : []
  } catch {
    return []
  }
}

function isRemembered(value: unknown): value is Remembered {
  const { uploadId, name, size, lastModified } = (value ?? {}) as Partial<Remembered>
  return (
    [typeof uploadId, typeof name, typeof size, typeof lastModified].join() === 'string,string,number,number'
  )
}

/** The upload that was started for exactly this file, or null. */
export function recall(personId: string, file: LocalFile, from: Store = store): string | null {
  const known = rememberedBy(personId, from).find((one) => isSame(one, file))
  return known?.uploadId ?? null
}

/** Whether this is, as far as a browser tells, the file that was started. */
export function isSame(known: Remembered, file: LocalFile): boolean {
  return known.name === file.name && known.size === file.size && known.lastModified === file.lastModified
}

export function remember(personId: string, uploadId: string, file: LocalFile, into: Store = store): void {
  const { name, size, lastModified } = file
  const others = rememberedBy(personId, into).filter((one) => one.uploadId !== uploadId && !isSame(one, file))
  write(personId, [...others, { uploadId, name, size, lastModified }].slice(-MAX_REMEMBERED), into)
}

export function forget(personId: string, uploadId: string, into: Store = store): void {
  const known = rememberedBy(personId, into)
  const others = known.filter((one) => one.uploadId !== uploadId)
  if (others.length < known.length) write(personId, others, into)
}

function write(personId: string, entries: Remembered[], into: Store): void {
  if (entries.length === 0) into.removeItem(keyOf(personId))
  else into.setItem(keyOf(personId), JSON.stringify(entries))
}
