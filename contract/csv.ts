/**
 * A table as a file that spreadsheets open: cells in quotes; what a sheet would calculate is kept as text by a `'` before it,
 * and so is what has one already, so that taking one away gives back any text.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // Amounts below zero are figures; everything else that a sheet takes for a formula is somebody's text.
  const cell = (text: string) => {
    const safe = /^'*[=+\-@\t\r]/.test(text) && !/^-\$?[\d,.]+$/.test(text) ? `'${text}` : text
    return `"${safe.replaceAll('"', '""')}"`
  }
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
