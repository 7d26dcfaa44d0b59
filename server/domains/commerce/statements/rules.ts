import type { Kind } from '../../../../contract/orders.ts'

/** Movements of a person's balance in a month, by source and kind of journal; amounts are integer cents. */
export type Movement = {
  source: string
  movement: string
  entries: number
  grossCents: number
  feeCents: number
  netCents: number
}

export type Line = { label: string; entries: number; grossCents: number; feeCents: number; netCents: number }
export type Group = { title: string; lines: Line[]; totalCents: number }
export type Statement = { month: string; openingCents: number; groups: Group[]; closingCents: number }

const KIND_LABELS: Record<Kind, string> = {
  subscription: 'Subscriptions',
  bundle: 'Bundles',
  single: 'Singles',
  singles: 'Offered singles',
  message: 'Messages',
  tip: 'Tips',
  donation: 'Tips for the site',
  custom: 'Custom requests',
}
const isKind = (source: string): source is Kind => Object.hasOwn(KIND_LABELS, source)
const labelOf = ({ source }: Movement) => (isKind(source) ? KIND_LABELS[source] : source)

const COMMISSION_LABELS: Record<string, string> = {
  sale: 'Referral commissions',
  commission: 'Subreddit program',
}

/** The parts of a statement in their order; each movement belongs to the first that takes it. */
const GROUPS: { title: string; takes(of: Movement): boolean; label(of: Movement): string }[] = [
  { title: 'Sales', takes: (of) => isKind(of.source) && of.movement === 'sale', label: labelOf },
  { title: 'Refunds', takes: (of) => isKind(of.source) && of.movement === 'refund', label: labelOf },
  {
    title: 'Disputes',
    takes: (of) => isKind(of.source) && of.movement.startsWith('dispute'),
    label: labelOf,
  },
  {
    title: 'Commissions',
    takes: ({ source }) => source === 'commission',
    label: ({ movement }) => COMMISSION_LABELS[movement] ?? 'Taken back',
  },
  {
    title: 'Payouts',
    takes: ({ source }) => source === 'payout',
    label: ({ movement }) => (movement === 'payout' ? 'Requested' : 'Returned'),
  },
  { title: 'Adjustments', takes: () => true, label: ({ movement }) => movement.replaceAll('_', ' ') },
]

/** A month's statement: what is in no other part is an adjustment, so that opening and all parts are the closing balance. */
export function statementOf(month: string, openingCents: number, movements: readonly Movement[]): Statement {
  const taken = new Map<number, Map<string, Line>>()
  for (const of of movements) {
    const at = GROUPS.findIndex((group) => group.takes(of))
    const lines = taken.get(at) ?? new Map<string, Line>()
    const label = GROUPS[at]?.label(of) ?? ''
    const line = lines.get(label) ?? { label, entries: 0, grossCents: 0, feeCents: 0, netCents: 0 }
    line.entries += of.entries
    line.grossCents += of.grossCents
    line.feeCents += of.feeCents
    line.netCents += of.netCents
    taken.set(at, lines.set(label, line))
  }
  const groups = GROUPS.map(({ title }, at) => {
    const lines = [...(taken.get(at)?.values() ?? [])].sort((one, other) =>
      one.label < other.label ? -1 : 1,
    )
    return { title, lines, totalCents: lines.reduce((sum, { netCents }) => sum + netCents, 0) }
  })
  const closingCents = groups.reduce((sum, { totalCents }) => sum + totalCents, openingCents)
  return { month, openingCents, groups, closingCents }
}

const LISTED = 120

/** How long after its end a month counts as finished: what was dated before is stored by then, a charge that was waited for too. */
const COMPLETE_AFTER_MS = 10 * 60_000

/**
 * The finished months from the first that moved anything, newest first, with what each changed and left. `nets`: the months
 * that moved anything, the first one first.
 */
export function finishedMonths(nets: readonly { month: string; netCents: number }[], now: Date) {
  const current = new Date(now.getTime() - COMPLETE_AFTER_MS).toISOString().slice(0, 7)
  const first = nets[0]?.month
  if (first === undefined) return []
  const byMonth = new Map(nets.map(({ month, netCents }) => [month, netCents]))
  const months: { month: string; changeCents: number; closingCents: number }[] = []
  let closingCents = 0
  for (let month = first; month < current; month = monthAfter(month)) {
    const changeCents = byMonth.get(month) ?? 0
    closingCents += changeCents
    months.push({ month, changeCents, closingCents })
  }
  return months.reverse().slice(0, LISTED)
}

/** The month after this one: `2026-01` after `2025-12`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? [year + 1, 1] : [year, number + 1]
  return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}`
}

/** The text, with a box for each character that the font can't print. */
export function printable(text: string, canPrint: (codePoint: number) => boolean): string {
  return [...text].map((letter) => (canPrint(letter.codePointAt(0) ?? 0) ? letter : '\u25A1')).join('')
}
