import { UPLOAD_EXTENSIONS } from '../../../../../contract/constants.ts'

/** The files that the system's picker offers. */
export const ACCEPT = UPLOAD_EXTENSIONS.map((extension) => `.${extension}`).join(',')

/** The files of a paste. Browsers call every picture `image.png`, so each gets a name of its own. */
export function pastedFiles(event: ClipboardEvent, now: Date): File[] {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ')
  return [...(event.clipboardData?.files ?? [])].map((file, index) => {
    if (file.name !== 'image.png') return file
    const name = `pasted ${stamp}${index > 0 ? ` ${index + 1}` : ''}.png`
    return new File([file], name, { type: file.type, lastModified: now.getTime() })
  })
}
