import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx'
import { findPeopleQuery } from '../api.ts'
import { formTexts as texts } from '../texts.ts'
import styles from './OfferForm.module.css'
import type { Picked } from './values.ts'

/** As the server takes it (`routes.searchUsers`). */
const LONGEST = 60

type PeoplePickerProps = { value: Picked[]; onChange: (people: Picked[]) => void; error: string | undefined }

/** Everyone, or picked people: picking one turns everyone off, removing the last turns it on again. */
export function PeoplePicker({ value, onChange, error }: PeoplePickerProps) {
  const { _id: own } = useCurrentUser()
  const [filter, setFilter] = useState('')
  const { data } = useQuery(findPeopleQuery(filter))
  const picked = new Set(value.map(({ _id }) => _id))
  const found = data?.filter(({ _id }) => _id !== own && !picked.has(_id))
  return (
    <fieldset className={styles.people}>
      <legend className={styles.legend}>{texts.people}</legend>
      <label className={styles.everyone}>
        <input type="checkbox" checked={value.length === 0} onChange={() => onChange([])} />
        {texts.everyone}
      </label>
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
        label={texts.findPeople}
        placeholder={texts.findPlaceholder}
        value={filter}
        onChange={setFilter}
        maxLength={LONGEST}
      />
      {filter !== '' && found && (
        <ul className={styles.picked} aria-live="polite">
          {found.length === 0 && <li className={styles.hint}>{texts.noPeople}</li>}
          {found.map((person) => (
            <li key={person._id}>
              <Button variant="default" size="sm" onClick={() => onChange([...value, person])}>
                {person.username}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}
