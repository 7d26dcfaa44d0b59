import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { type Listed, searchQuery } from '../api.ts'
import { PeopleList } from './PeopleList.tsx'
import styles from './people.module.css'

/** How long the typing must rest before it is searched for (core §9). */
const DEBOUNCE_MS = 200

/** Finds people by any part of their username; what is searched for stands in the address. */
export function SearchPeople({ action }: { action?: (person: Listed) => ReactNode }) {
  const [parameters, setParameters] = useSearchParams()
  const filter = parameters.get('filter') ?? ''
  const [typed, setTyped] = useState(filter)
  useEffect(() => {
    const wanted = typed.trim().slice(0, 60)
    if (wanted === filter) return
    const timer = setTimeout(
      () => setParameters(wanted ? { filter: wanted } : {}, { replace: true, preventScrollReset: true }),
      DEBOUNCE_MS,
    )
    return () => clearTimeout(timer)
  }, [typed, filter, setParameters])
  return (
    <>
      <search className={styles.search}>
        <TextField label="Username" type="search" value={typed} onChange={setTyped} />
      </search>
      <PeopleList
        label="People"
        query={searchQuery(filter)}
        {...(action ? { action } : {})}
        empty={
          <EmptyState title={filter ? `Nobody is called “${filter}”` : 'Nobody is here yet'}>
            Try fewer letters, or another spelling.
          </EmptyState>
        }
      />
    </>
  )
}
