import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx'
import { findPeopleQuery } from './api.ts'
import styles from './PeopleField.module.css'
import { peopleFieldTexts as texts } from './texts.ts'

/** Somebody who was picked. */
export type Picked = { _id: string; username: string }

/** As the server takes it (`routes.searchUsers`). */
const LONGEST = 60

type PeopleFieldProps = {
  legend: string
  value: readonly Picked[]
  onChange: (people: Picked[]) => void
  error: string | undefined
  /** Said of what is found for nobody. */
  nobody: string
  /** A choice above the people. */
  children?: ReactNode
}

/** People picked by their usernames, and taken out again; never the logged-in person, who isn't found. */
export function PeopleField({ legend, value, onChange, error, nobody, children }: PeopleFieldProps) {
  const { _id: own } = useCurrentUser()
  const [filter, setFilter] = useState('')
  const { data } = useQuery(findPeopleQuery(filter))
  const picked = new Set(value.map(({ _id }) => _id))
  const found = data?.filter(({ _id }) => _id !== own && !picked.has(_id))
  return (
    <fieldset className={styles.people}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
      {value.length > 0 && (
        <ul className={styles.picked}>
          {value.map((person) => (
            <li key={person._id}>
              <Button
                variant="light"
                size="sm"
                aria-label={texts.remove(person.username)}
                rightSection={<IconX size={14} aria-hidden />}
                onClick={() => onChange(value.filter(({ _id }) => _id !== person._id))}
              >
                {person.username}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SearchBox
        label={texts.find}
        placeholder={texts.placeholder}
        value={filter}
        onChange={setFilter}
        maxLength={LONGEST}
        error={error}
      />
      {filter !== '' && found && (
        <ul className={styles.picked} aria-live="polite">
          {found.length === 0 && <li className={styles.hint}>{nobody}</li>}
          {found.map((person) => (
            <li key={person._id}>
              <Button
                variant="default"
                size="sm"
                onClick={() => {
                  onChange([...value, person])
                  setFilter('')
                }}
              >
                {person.username}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
