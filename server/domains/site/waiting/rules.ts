import { WAITING_KINDS } from '../../../../contract/routes/site.ts'

type Thing = { kind: (typeof WAITING_KINDS)[number]; due: string | null }

/** The order of what waits: what is due first, then what has no deadline, by the harm of forgetting it. */
export function inOrder<T extends Thing>(things: T[]): T[] {
  const moment = ({ due }: T) => (due === null ? Number.POSITIVE_INFINITY : Date.parse(due))
  const place = ({ kind }: T) => WAITING_KINDS.indexOf(kind)
  return things.toSorted((one, other) => {
    const [a, b] = [moment(one), moment(other)]
    return a === b ? place(one) - place(other) : a - b
  })
}
