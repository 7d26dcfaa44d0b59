import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { formatCents } from '../../../../contract/money.ts'
import type { Holder } from './data.ts'
import { type Line, monthAfter, printable, type Statement } from './rules.ts'

/** Where the columns of figures end, and what stands over them. */
const COLUMNS = [
  { header: 'Count', right: 300 },
  { header: 'Gross', right: 380 },
  { header: 'Platform fee', right: 462 },
  { header: 'Net', right: 545 },
] as const
/** Wider than a column, as a total stands alone in its row; what is longer would be broken. */
const WIDEST = 120
const LEFT = 50
const ROW = 18
const INK = '#1c1917'
const QUIET = '#57534e'
const LINE = '#d6d3d1'
const DAY_MS = 24 * 3600 * 1000

type Fonts = { regular: Buffer; bold: Buffer; canPrint: (codePoint: number) => boolean }
let loaded: Fonts | undefined

/** DejaVu Sans, which has Latin with all diacritics, Greek and Cyrillic; read when the first statement is made. */
function fonts(): Fonts {
  if (loaded) return loaded
  const read = (address: string) => readFileSync(fileURLToPath(address))
  const regular = read(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
  const bold = read(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))
  const both = [create(regular) as Font, create(bold) as Font]
  loaded = { regular, bold, canPrint: (point) => both.every((font) => font.hasGlyphForCodePoint(point)) }
  return loaded
}

type Whose = { holder: Holder; brand: string; sandbox: boolean }

/** A statement as a PDF file; the same ledger makes the same bytes. */
export async function presentStatement(statement: Statement, whose: Whose): Promise<Buffer> {
  const until = new Date(`${monthAfter(statement.month)}-01T00:00:00Z`)
  const title = `Statement for ${longMonth(statement.month)}`
  const doc = new PDFDocument({
    size: 'LETTER',
    margin: LEFT,
    info: { Title: title, Author: whose.brand, CreationDate: until },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  drawStatement(doc, statement, { ...whose, title })
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

function drawStatement(
  doc: PDFKit.PDFDocument,
  { month, openingCents, groups, closingCents }: Statement,
  { holder, brand, sandbox, title }: Whose & { title: string },
): void {
  const { regular, bold, canPrint } = fonts()
  doc.registerFont('regular', regular).registerFont('bold', bold)
  let y = LEFT
  const write = (text: string, at: { size?: number; font?: 'regular' | 'bold'; color?: string }) => {
    doc.font(at.font ?? 'regular', at.size ?? 10).fillColor(at.color ?? INK)
    doc.text(printable(text, canPrint), LEFT, y, { width: 495 })
    y = doc.y + 4
  }
  /** Goes on on another page where this one has no more room for a row. */
  const makeRoom = () => {
    if (y + ROW <= doc.page.height - LEFT) return
    doc.addPage()
    y = LEFT
  }
  const row = (label: string, figures: string[], font: 'regular' | 'bold', color: string = INK) => {
    makeRoom()
    doc.font(font, 10).fillColor(color)
    doc.text(printable(label, canPrint), LEFT, y, { width: 190, lineBreak: false, ellipsis: true })
    for (const [index, { right }] of COLUMNS.entries()) {
      const figure = figures[index]
      if (figure) doc.text(figure, right - WIDEST, y, { width: WIDEST, align: 'right', lineBreak: false })
    }
    y += ROW
  }
  const rule = () => {
    makeRoom()
    doc.moveTo(LEFT, y).lineTo(545, y).lineWidth(0.5).strokeColor(LINE).stroke()
    y += 6
  }

  write(brand, { font: 'bold', size: 11, color: QUIET })
  write(title, { font: 'bold', size: 18 })
  const name = [holder.first_name, holder.last_name].filter(Boolean).join(' ')
  write([name, `@${holder.username}`].filter(Boolean).join(' · '), {})
  write(`Account ${holder.id}`, { size: 8, color: QUIET })
  write(`${daysOf(month)}, in UTC. All amounts are in US dollars.`, { color: QUIET })
  if (sandbox) write('Sandbox: no real money moved.', { font: 'bold' })
  y += 10
  row('Opening balance', ['', '', '', formatCents(openingCents)], 'bold')
  rule()
  for (const { title: group, lines, totalCents } of groups) {
    if (lines.length === 0) continue
    const isSplit = (line: Line) => line.grossCents !== line.netCents || line.feeCents !== 0
    // Commissions and payouts have no fee.
    const withFees = lines.some(isSplit)
    row(
      group,
      COLUMNS.map(({ header }) => (withFees || header === 'Count' || header === 'Net' ? header : '')),
      'bold',
      QUIET,
    )
    for (const line of lines) {
      const { label, entries, grossCents, feeCents, netCents } = line
      const split = isSplit(line) ? [formatCents(grossCents), formatCents(-feeCents)] : ['', '']
      row(label, [String(entries), ...split, formatCents(netCents)], 'regular')
    }
    row(`Total ${group.toLowerCase()}`, ['', '', '', formatCents(totalCents)], 'bold')
    rule()
  }
  if (groups.every(({ lines }) => lines.length === 0)) {
    row('No activity this month.', [], 'regular', QUIET)
    rule()
  }
  row('Closing balance', ['', '', '', formatCents(closingCents)], 'bold')
  y += 8
  write(
    'The balance is what you’re owed: pending, available, and on hold. A payout is deducted when it’s requested.',
    { size: 8, color: QUIET },
  )
}

/** `Oct 1 – 31, 2026`. */
function daysOf(month: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  const last = Date.parse(`${monthAfter(month)}-01`) - DAY_MS
  // Thin spaces may not be in the font.
  return format.formatRange(Date.parse(`${month}-01`), last).replace(/\s/g, ' ')
}

/** `October 2026`. */
function longMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
