/** A table as a file that spreadsheets open: cells in quotes, what a sheet would calculate kept as text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // Amounts below zero are figures; everything else that a sheet takes for a formula is somebody's text.
  const cell = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^-\$?[\d,.]+$/.test(text) ? `'${text}` : text
    return `"${safe.replaceAll('"', '""')}"`
  }
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Hands the person a file. */
export function download(name: string, text: string): void {
  // The mark at its start makes spreadsheets read it as UTF-8.
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
