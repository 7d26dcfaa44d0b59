import { useDraggable } from '@dnd-kit/core'
import { IconArrowsMove, IconBell } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Menu } from '../../../ui/menu/Menu.tsx'
import { MenuItem } from '../../../ui/menu/MenuList.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import table from '../../../ui/table/DataTable.module.css'
import { leaveRow } from '../parts/focus.ts'
import { confirmationLabel, verificationLabel } from '../parts/label-texts.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import styles from './board.module.css'
import { STATUSES, type Status, type VerificationRecord } from './records.ts'
import { boardTexts as texts } from './texts.ts'

type RecordCardProps = {
  record: VerificationRecord
  onMove: (to: Status) => void
  chosen: boolean
  onChoose: (range: boolean) => void
}

/** One verification in short, with a menu that moves it. */
export function RecordCard({ record, onMove, chosen, onChoose }: RecordCardProps) {
  const { name, verificationType, confirmed, notes, remindOn, status } = record
  // No attributes of its own: by the keyboard it is the menu that moves the card.
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({ id: name })
  const [opened, setOpened] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const move = (to: Status) => {
    // A card that moves takes its button along, which has the focus again.
    if (menu.current) leaveRow(menu.current)
    onMove(to)
  }
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      className={styles.card}
      data-dragging={isDragging || undefined}
      style={transform ? { transform: `translate3d(${transform.x}px, ${transform.y}px, 0)` } : undefined}
    >
      <div className={styles.head}>
        <label className={table.hit}>
          <input
            type="checkbox"
            className={table.box}
            checked={chosen}
            // A click by the keyboard has the shift key as well.
            onClick={(event) => onChoose(event.shiftKey)}
            readOnly
            aria-label={texts.choose(name)}
          />
        </label>
        <Link to={promotionPaths.verification(name)} className={styles.name} draggable={false}>
          r/{name}
        </Link>
        <Menu
          opened={opened}
          onChange={setOpened}
          button={({ ref, ...given }) => (
            <ToolButton
              {...given}
              ref={(button) => {
                ref.current = button
                menu.current = button
              }}
              label={texts.more(name)}
              Icon={IconArrowsMove}
            />
          )}
        >
          {STATUSES.filter((one) => one !== status).map((to) => (
            <MenuItem key={to} onClick={() => move(to)}>
              {texts.moveTo(texts.columns[to])}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <p className={styles.facts}>
        <Tag>{texts.type(verificationLabel[verificationType])}</Tag>
        <Tag tone={confirmed === 'true' ? 'good' : confirmed === 'false' ? 'bad' : 'neutral'}>
          {texts.confirmed(confirmationLabel[confirmed])}
        </Tag>
      </p>
      {notes && <p className={styles.notes}>{notes}</p>}
      {remindOn && (
        <p className={styles.reminder}>
          <IconBell size={16} stroke={1.75} aria-hidden />
          {texts.reminder(remindOn)}
        </p>
      )}
    </li>
  )
}
