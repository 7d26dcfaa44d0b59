import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { leaveRow } from '../parts/focus.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import type { Place } from './choices.ts'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'
import type { useChoices } from './use-choices.ts'

type ChosenListsProps = {
  postId: string
  picking: ReturnType<typeof useChoices>
  onShow: (name: string) => void
}

/** The selected and the discarded subreddits, each to be moved or removed. */
export function ChosenLists({ postId, picking, onShow }: ChosenListsProps) {
  const { choices, move } = picking
  return (
    <>
      <Chosen
        title={texts.selected(choices.usable.length)}
        next={
          choices.usable.length > 0 && (
            <LinkButton to={promotionPaths.scheduleOf(postId)} size="sm">
              {texts.schedule}
            </LinkButton>
          )
        }
        none={texts.nothingSelected}
        names={choices.usable}
        to="discarded"
        onMove={move}
        onShow={onShow}
      />
      <Chosen
        title={texts.discarded(choices.discarded.length)}
        none={texts.nothingDiscarded}
        names={choices.discarded}
        to="usable"
        onMove={move}
        onShow={onShow}
      />
    </>
  )
}

type ChosenProps = {
  title: string
  /** The way on from it. */
  next?: ReactNode
  none: string
  names: readonly string[]
  /** Where its other button moves to. */
  to: 'usable' | 'discarded'
  onMove: (names: string[], place: Place) => void
  onShow: (name: string) => void
}

function Chosen({ title, next, none, names, to, onMove, onShow }: ChosenProps) {
  const Icon = to === 'usable' ? IconArrowUp : IconArrowDown
  const moveLabel = to === 'usable' ? texts.moveToSelected : texts.moveToDiscarded
  const go = ({ currentTarget }: MouseEvent<HTMLElement>, name: string, place: Place) => {
    leaveRow(currentTarget)
    onMove([name], place)
  }
  return (
    <section className={styles.chosen} aria-label={title}>
      <div className={styles.chosenHead}>
        <h2 className={styles.heading}>{title}</h2>
        {next}
      </div>
      {names.length === 0 && <p className={styles.quiet}>{none}</p>}
      <ul className={styles.names}>
        {names.map((name) => (
          <li key={name} className={styles.one}>
            <button type="button" className={styles.name} onClick={() => onShow(name)}>
              r/{name}
            </button>
            <ToolButton label={moveLabel(name)} Icon={Icon} onClick={(event) => go(event, name, to)} />
            <ToolButton label={texts.remove(name)} Icon={IconX} onClick={(event) => go(event, name, null)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
