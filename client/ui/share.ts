import { sharedTexts as texts } from './share-texts.ts'
import { toast } from './toast.ts'

/** Hands on the address of a page of this site: by the device's own sheet, or copied where there is none. */
export async function share(path: string, title: string): Promise<void> {
  const url = new URL(path, location.origin).href
  try {
    if (navigator.share) return await navigator.share({ title, url })
    // Without https there is no clipboard either.
    await navigator.clipboard.writeText(url)
    toast.success(texts.copied)
  } catch (failure) {
    // The sheet was closed without a choice.
    if (failure instanceof DOMException && failure.name === 'AbortError') return
    toast.failure(texts.failed(url))
  }
}
