import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowsMove } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { dayOf } from '../../../ui/format.ts'
import { leaveRow } from '../parts/focus.ts'
import type { TimelineItem } from './api.ts'
import { dayAfter, onDay } from './days.ts'
import { itemTexts as texts } from './texts.ts'

const HOUR_MS = 3_600_000
const MOVES = ['hourEarlier', 'hourLater', 'dayEarlier', 'dayLater'] as const
type Move = (typeof MOVES)[number]

function timeAfter(move: Move, postTime: string): string {
  const inHours = (hours: number) => new Date(Date.parse(postTime) + hours * HOUR_MS).toISOString()
  const inDays = (days: number) => onDay(postTime, dayAfter(dayOf(postTime), days))
  switch (move) {
    case 'hourEarlier':
      return inHours(-1)
    case 'hourLater':
      return inHours(1)
    case 'dayEarlier':
      return inDays(-1)
    case 'dayLater':
      return inDays(1)
  }
}

type ItemMovesProps = { item: TimelineItem; onMove: (postTime: string) => void }

/** A menu that moves an item, which can be dragged too. */
export function ItemMoves({ item, onMove }: ItemMovesProps) {
  const { title, subreddit, postTime } = item
  const menu = useRef<HTMLButtonElement>(null)
  // An item that moves takes its button along, so that the focus can’t return to it.
  const [isLeaving, setLeaving] = useState(false)
  const run = (move: Move) => {
    setLeaving(true)
    if (menu.current) leaveRow(menu.current)
    onMove(timeAfter(move, postTime))
  }
  return (
    <Menu position="bottom-end" returnFocus={!isLeaving} onOpen={() => setLeaving(false)}>
      <Menu.Target>
        <ActionIcon
          ref={menu}
          variant="subtle"
          color="gray"
          size={44}
          aria-label={texts.moveOf(title, subreddit)}
        >
          <IconArrowsMove size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {MOVES.map((move) => (
          <Menu.Item key={move} onClick={() => run(move)}>
            {texts.moves[move]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
