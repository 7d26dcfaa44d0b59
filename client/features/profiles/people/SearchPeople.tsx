import type { ReactNode } from 'react'
import { useNavigation, useSearchParams } from 'react-router'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SearchBox } from '../../../ui/SearchBox.tsx'
import { type Listed, searchQuery } from '../api.ts'
import { PeopleList } from './PeopleList.tsx'
import styles from './people.module.css'
import { peopleTexts as texts } from './texts.ts'

const BlockMenu = lazyPart(() => import('../BlockMenu.tsx').then((module) => module.default))

/** As the server takes it (`routes.searchUsers`). */
const LONGEST = 60

/**
 * Finds people by any part of their username; what is searched for stands in the address. Whose profile isn't shown
 * can be blocked from here.
 */
export function SearchPeople({ action }: { action?: (person: Listed) => ReactNode }) {
  const [parameters, setParameters] = useSearchParams()
  const filter = parameters.get('filter') ?? ''
  const leaving = useNavigation().state !== 'idle'
  return (
    <>
      <search className={styles.search}>
        <SearchBox
          label={texts.username}
          placeholder={texts.usernameHint}
          maxLength={LONGEST}
          value={filter}
          onChange={(wanted) => {
            // Somebody was chosen already, whose page is on its way.
            if (leaving) return
            setParameters(wanted ? { filter: wanted } : {}, { replace: true, preventScrollReset: true })
          }}
        />
      </search>
      <PeopleList
        label={texts.people}
        query={searchQuery(filter)}
        action={(person) =>
          person.private ? (
            <BlockMenu profile={{ _id: person._id, username: person.username }} onSuspend={undefined} />
          ) : (
            action?.(person)
          )
        }
        empty={<EmptyState title={texts.noResults(filter)}>{texts.noResultsHint}</EmptyState>}
      />
    </>
  )
}
