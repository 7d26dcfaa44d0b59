import { useRef, useState } from 'react'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx'
import { LONGEST_SEARCH, useFirstFound } from './api.ts'
import styles from './PeopleField.module.css'
import { peopleFieldTexts as texts } from './texts.ts'

type Found = NonNullable<ReturnType<typeof useFirstFound>>[number]

/** So many are offered; who looks for others types more. */
const MOST = 5

type PeopleSearchProps = {
  label?: string
  placeholder?: string
  /** Who can be picked; everybody without it. */
  among?: (person: Found) => boolean
  /** Said of what is found for nobody. */
  nobody: string
  onPick: (person: Found) => void
}

/** People found by their usernames, each a button that picks them; never the logged-in person. */
export function PeopleSearch({
  label = texts.find,
  placeholder = texts.placeholder,
  among,
  nobody,
  onPick,
}: PeopleSearchProps) {
  const { _id: own } = useCurrentUser()
  const [filter, setFilter] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const found = useFirstFound(filter)
    ?.filter((person) => person._id !== own && (among?.(person) ?? true))
    .slice(0, MOST)
  return (
    <div ref={box} className={styles.search}>
      <SearchBox
        label={label}
        placeholder={placeholder}
        value={filter}
        onChange={setFilter}
        maxLength={LONGEST_SEARCH}
      />
      {found && (
        <ul className={styles.picked} aria-live="polite">
          {found.length === 0 && <li className={styles.hint}>{nobody}</li>}
          {found.map((person) => (
            <li key={person._id}>
              <Button
                variant="default"
                size="sm"
                onClick={() => {
                  onPick(person)
                  setFilter('')
                  // The button goes, and with it the focus.
                  box.current?.querySelector('input')?.focus()
                }}
              >
                {person.username}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
