import { useDroppable } from '@dnd-kit/core'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import styles from './board.module.css'
import { RecordCard } from './RecordCard.tsx'
import type { RecordList, Status, VerificationRecord } from './records.ts'
import { boardTexts as texts } from './texts.ts'

type BoardColumnProps = {
  status: Status
  list: RecordList
  search: string
  onMove: (record: VerificationRecord, to: Status) => void
  /** Names of the records that are chosen. */
  chosen: ReadonlySet<string>
  /** Chooses one, or with `range` all from the last one to it; again for none. */
  onChoose: (name: string, range: boolean) => void
}

/** The cards of one status, with a button for further ones; a card can be dropped anywhere in it. */
export function BoardColumn({ status, list, search, onMove, chosen, onChoose }: BoardColumnProps) {
  const { setNodeRef, isOver } = useDroppable({ id: status })
  return (
    <div ref={setNodeRef} className={styles.cards} data-over={isOver || undefined}>
      <GrowingList
        list={list}
        byButton
        failed={texts.failed}
        waiting={<SkeletonLines lines={4} />}
        empty={<p className={styles.none}>{search ? texts.noResults(search) : texts.none[status]}</p>}
      >
        <ul className={styles.list} aria-label={texts.columns[status]}>
          {list.items.map((record) => (
            <RecordCard
              key={record.name}
              record={record}
              onMove={(to) => onMove(record, to)}
              chosen={chosen.has(record.name)}
              onChoose={(range) => onChoose(record.name, range)}
            />
          ))}
        </ul>
      </GrowingList>
    </div>
  )
}
