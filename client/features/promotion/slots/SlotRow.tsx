import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { formatTime } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import { leaveRow } from '../parts/focus.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import { dayName, WEEK } from '../parts/week.ts'
import { queueQuery } from '../timeline/api.ts'
import { type Slot, useDeleteSlot, useSaveSlot } from './api.ts'
import { SlotDialog } from './SlotDialog.tsx'
import styles from './slots.module.css'
import { slotsTexts as texts } from './texts.ts'

/** One slot: when, where and by whom, what it has filled, and why not. */
export function SlotRow({ slot }: { slot: Slot }) {
  const { _id, days, time, subreddit, accountId, byHand, nextTime, planned, problem } = slot
  const queue = useQuery(queueQuery)
  const [isEditing, setEditing] = useState(false)
  const remove = useDeleteSlot()
  const save = useSaveSlot()
  const clock = formatTime(`2026-01-01T${time}`)
  const week = days.length === WEEK.length ? texts.everyDay : days.map((day) => dayName(day)).join(', ')
  const name = `${clock}, ${week}`
  const account = queue.data?.accounts.find((one) => one._id === accountId)
  const failed = (error: unknown) => toast.failure(errorMessage(error))
  const takeAway = (button: HTMLElement) => {
    leaveRow(button)
    // The row goes, and with it what its own calls would have told: promises outlive it.
    const slotAgain = { days, time, subreddit, accountId, byHand }
    const undo = () => save.mutateAsync(slotAgain).then(() => toast.success(texts.back), failed)
    remove.mutateAsync(_id).then(() => {
      toast.offer(texts.deleted, { label: texts.undo, onAct: () => void undo() })
    }, failed)
  }
  return (
    <li className={styles.slot}>
      <div className={styles.words}>
        <p>
          <b className={styles.clock}>{clock}</b> {week}
        </p>
        <p className={styles.quiet}>
          {[
            subreddit === null ? texts.anywhere : `r/${subreddit}`,
            ...(byHand ? [texts.byHand] : account ? [`u/${account.name}`] : []),
            texts.next(nextTime),
            texts.planned(planned),
          ].join('\u00a0· ')}
        </p>
        {problem && <p className={styles.problem}>{problem}</p>}
      </div>
      <div className={styles.bar}>
        <ToolButton label={texts.editOf(name)} Icon={IconPencil} onClick={() => setEditing(true)} />
        <ToolButton
          label={texts.deleteOf(name)}
          Icon={IconTrash}
          onClick={(event) => takeAway(event.currentTarget)}
        />
      </div>
      <SlotDialog slot={slot} opened={isEditing} onClose={() => setEditing(false)} />
    </li>
  )
}
