/** Hands the person a text as a file. */
export function download(name: string, text: string, type: 'text/plain' | 'text/csv'): void {
  // The mark at its start makes spreadsheets read it as UTF-8.
  const parts = type === 'text/csv' ? ['\uFEFF', text] : [text]
  saveFile(name, new Blob(parts, { type }))
}

/** Hands the person a file. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
