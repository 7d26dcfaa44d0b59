import { useRef, useState } from 'react'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { LONGEST_SEARCH, useFirstFound } from './api.ts'
import styles from './PeopleField.module.css'
import { peopleFieldTexts as texts } from './texts.ts'

type Found = NonNullable<ReturnType<typeof useFirstFound>['data']>[number]

/** So many are offered; who looks for others types more. */
const MOST = 5

type PeopleSearchProps = {
  label?: string
  placeholder?: string
  /** The people who can be picked; everybody without it. */
  among?: (person: Found) => boolean
  /** Said of what is found for nobody. */
  nobody: string
  /** The error about the people picked so far. */
  error?: string | undefined
  onPick: (person: Found) => void
}

/** People found by their usernames, each a button that picks them; never the logged-in person. */
export function PeopleSearch({
  label = texts.find,
  placeholder = texts.placeholder,
  among,
  nobody,
  error,
  onPick,
}: PeopleSearchProps) {
  const { _id: own } = useCurrentUser()
  const [filter, setFilter] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const found = useFirstFound(filter)
  const offered = (people: readonly Found[]) =>
    people.filter((person) => person._id !== own && (among?.(person) ?? true)).slice(0, MOST)
  return (
    <div ref={box} className={styles.search}>
      <SearchBox
        label={label}
        placeholder={placeholder}
        value={filter}
        onChange={setFilter}
        maxLength={LONGEST_SEARCH}
        error={error}
      />
      {filter !== '' && (
        <Fetched query={found} waiting={<SkeletonLines lines={1} />} failed={texts.failed}>
          {(people) => (
            <ul className={styles.picked} aria-live="polite">
              {offered(people).length === 0 && <li className={styles.hint}>{nobody}</li>}
              {offered(people).map((person) => (
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
        </Fetched>
      )}
    </div>
  )
}
