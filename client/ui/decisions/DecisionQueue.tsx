import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type CallOptions, errorMessage } from '../../lib/api.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { Button } from '../core/Button.tsx'
import { FormError } from '../FormError.tsx'
import { formatDeadline } from '../format.ts'
import { Tag } from '../Tag.tsx'
import { toast } from '../toast.ts'
import styles from './DecisionQueue.module.css'
import { decisionTexts } from './texts.ts'
import { type Outcome, useDecisions } from './use-decisions.ts'

type Decision = {
  id: string
  /** The button, a verb: `Approve`. */
  label: string
  /** The message after it was pressed: `Approved`. */
  done: string
  destructive?: boolean
}

type DecisionQueueProps<Item> = {
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** The item's accessible name. */
  nameOf: (item: Item) => string
  /** When it must be decided; what is due first comes first. */
  deadlineOf?: (item: Item) => string | null
  decisions: readonly Decision[]
  /** Why an item can't be decided so as it is; null where it can. */
  refusalOf?: (item: Item, decision: string) => Error | null
  /** A step required before a decision counts, such as a new login; if it fails, the item says why. */
  onBegin?: (item: Item, decision: string) => Promise<unknown>
  onUndo?: (item: Item) => void
  /** Makes the decision count, by a call with these options. When it fails, the item comes back and says why. */
  onDecide: (item: Item, decision: string, options: CallOptions) => Promise<unknown>
  /** The facts about an item. */
  children: (item: Item) => ReactNode
  none: ReactNode
}

const MINUTE_MS = 60_000
/** How long before a deadline it is pressing. */
const PRESSING_MS = 24 * 60 * MINUTE_MS

/** Items that wait for somebody’s decision, the most pressing first. Each decision can be undone for a few seconds. */
export function DecisionQueue<Item>(props: DecisionQueueProps<Item>) {
  const { label, items, keyOf, nameOf, deadlineOf, decisions, refusalOf, onBegin, onUndo, onDecide } = props
  const { children, none } = props
  const now = useMinute()
  const whole = useRef<HTMLElement>(null)
  const keys = items.map(keyOf)
  const row = (key: string) => whole.current?.querySelector(`[data-key="${CSS.escape(key)}"]`)
  const tell = (item: Item, error: unknown) => toast.failure(`${nameOf(item)}: ${errorMessage(error)}`)
  const { outcomes, decide, refuse, undo, undoLast, forget } = useDecisions<Item>({
    begin: onBegin,
    send: (key, item, decision) => {
      // Its Undo goes away now; the list has the focus then, as another row's button would be pressed by mistake.
      if (row(key)?.contains(document.activeElement)) whole.current?.focus()
      return onDecide(item, decision, { keepalive: true })
    },
    onUndo,
    tell,
  })
  const gone = [...outcomes].filter(([key, { state }]) => isOver(state) && !keys.includes(key))
  // biome-ignore lint/correctness/useExhaustiveDependencies: which keys they are says when to look again.
  useEffect(() => {
    if (gone.length === 0) return
    // An item that is no longer listed has no row that could say why.
    for (const [, outcome] of gone) if (outcome.state === 'failed') tell(outcome.item, outcome.error)
    forget(gone.map(([key]) => key))
  }, [gone.map(([key]) => key).join(' '), forget])
  const due = (item: Item) => {
    const deadline = deadlineOf?.(item) ?? null
    return deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline)
  }
  const held = [...outcomes].filter(([key, { state }]) => !isOver(state) && !keys.includes(key))
  const open = [...items, ...held.map(([, { item }]) => item)]
    .filter((item) => outcomes.get(keyOf(item))?.state !== 'done')
    .sort((one, other) => (due(one) < due(other) ? -1 : due(one) > due(other) ? 1 : 0))
  const focus = (key: string) => (row(key)?.querySelector('button') ?? whole.current)?.focus()
  return (
    <section
      ref={whole}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return
        const undone = undoLast()
        if (undone === undefined) return
        event.preventDefault()
        requestAnimationFrame(() => focus(undone))
      }}
    >
      {open.length === 0 ? (
        none
      ) : (
        <ul className={styles.queue}>
          {open.map((item, index) => {
            const key = keyOf(item)
            const outcome = outcomes.get(key)
            const decided =
              outcome && outcome.state !== 'failed'
                ? decisions.find(({ id }) => id === outcome.decision)
                : undefined
            return (
              <li key={key} data-key={key} className={styles.item} data-decided={decided ? true : undefined}>
                <div className={styles.about}>
                  {children(item)}
                  {due(item) !== Number.POSITIVE_INFINITY && (
                    <Tag tone={toneOf(due(item), now)}>{formatDeadline(due(item), now)}</Tag>
                  )}
                  {outcome?.state === 'failed' && <FormError>{errorMessage(outcome.error)}</FormError>}
                </div>
                <div className={styles.actions}>
                  <p role="status" className={styles.decided}>
                    {decided?.done}
                  </p>
                  {decided ? (
                    <Button
                      variant="subtle"
                      size="sm"
                      disabled={outcome?.state === 'sending'}
                      aria-label={decisionTexts.undoOf(nameOf(item))}
                      onClick={() => {
                        undo(key)
                        requestAnimationFrame(() => focus(key))
                      }}
                    >
                      {decisionTexts.undo}
                    </Button>
                  ) : (
                    decisions.map(({ id, label: verb, destructive }) => (
                      <Button
                        key={id}
                        variant={destructive ? 'default' : 'filled'}
                        size="sm"
                        aria-label={`${verb}: ${nameOf(item)}`}
                        onClick={async () => {
                          const refusal = refusalOf?.(item, id)
                          if (refusal) return refuse(key, item, refusal)
                          if (!(await decide(key, item, id))) return
                          // On to the next; what was decided can be undone from there as well.
                          const next = open.slice(index + 1).find((one) => !outcomes.has(keyOf(one)))
                          requestAnimationFrame(() => focus(next === undefined ? key : keyOf(next)))
                        }}
                      >
                        {verb}
                      </Button>
                    ))
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** True for what there is nothing more to do about than to show it. */
function isOver(state: Outcome<unknown>['state']): boolean {
  return state === 'done' || state === 'failed'
}

function toneOf(due: number, now: number): 'bad' | 'warning' | 'neutral' {
  if (due <= now) return 'bad'
  return due - now < PRESSING_MS ? 'warning' : 'neutral'
}

/** The time, looked at every minute. */
function useMinute(): number {
  const [now, setNow] = useState(() => serverNow().getTime())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow().getTime()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
