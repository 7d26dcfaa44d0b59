import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/core/Button.tsx'
import styles from './PeopleField.module.css'
import { PeopleSearch } from './PeopleSearch.tsx'
import { peopleFieldTexts as texts } from './texts.ts'

/** Somebody who was picked. */
export type Picked = { _id: string; username: string }

type PeopleFieldProps = {
  /** Names the field; with a choice above, both. */
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
  const picked = new Set(value.map(({ _id }) => _id))
  const list = value.length > 0 && (
    <ul className={styles.picked} aria-label={legend}>
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
  )
  const search = {
    among: ({ _id }: Picked) => !picked.has(_id),
    nobody,
    error,
    onPick: ({ _id, username }: Picked) => onChange([...value, { _id, username }]),
  }
  if (!children)
    return (
      <div className={styles.people}>
        <PeopleSearch {...search} label={legend} />
        {list}
      </div>
    )
  return (
    <fieldset className={styles.people}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
      {list}
      <PeopleSearch {...search} />
    </fieldset>
  )
}
