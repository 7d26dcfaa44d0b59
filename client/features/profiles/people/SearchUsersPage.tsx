import { type ReactNode, useState } from 'react'
import { useNavigation, useSearchParams } from 'react-router'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import { LONGEST_SEARCH, searchPeopleQuery } from '../parts/people/api.ts'
import type { Suspendable } from '../SuspensionDialog.tsx'
import type { Listed } from './api.ts'
import { PeopleList } from './PeopleList.tsx'
import styles from './people.module.css'
import { suspensionTexts, peopleTexts as texts } from './texts.ts'

const BlockMenu = lazyPart(() => import('../BlockMenu.tsx').then((module) => module.default))
const SuspensionDialog = lazyPart(() => import('../SuspensionDialog.tsx').then((module) => module.default))

/** Find people by their username (docs/product.md, Pages); operators can suspend and reinstate them. */
export function Component() {
  const user = useCurrentUser()
  const [asked, setAsked] = useState<Suspendable | null>(null)
  if (!may(user, 'people.suspend')) return <Search />
  return (
    <>
      <Search
        action={({ _id, username, suspended = false }) =>
          _id !== user._id && (
            <Button
              variant="subtle"
              {...(suspended ? {} : { color: 'red' })}
              aria-label={
                suspended
                  ? suspensionTexts.reinstatePerson(username)
                  : suspensionTexts.suspendPerson(username)
              }
              onClick={() => setAsked({ _id, username, suspended })}
            >
              {suspended ? suspensionTexts.reinstate : suspensionTexts.suspend}
            </Button>
          )
        }
      />
      <SuspensionDialog person={asked} onClose={() => setAsked(null)} />
    </>
  )
}

/**
 * Finds people by any part of their username; what is searched for stands in the address. Whose profile isn't shown
 * can be blocked from here.
 */
function Search({ action }: { action?: (person: Listed) => ReactNode }) {
  const [parameters, setParameters] = useSearchParams()
  const filter = parameters.get('filter') ?? ''
  const leaving = useNavigation().state !== 'idle'
  return (
    <Page title={texts.searchTitle} lead={texts.searchLead} width="text">
      <search className={styles.search}>
        <SearchBox
          label={texts.username}
          placeholder={texts.usernameHint}
          maxLength={LONGEST_SEARCH}
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
        query={searchPeopleQuery(filter)}
        action={(person) =>
          person.private ? (
            <BlockMenu profile={{ _id: person._id, username: person.username }} onSuspend={undefined} />
          ) : (
            action?.(person)
          )
        }
        empty={<EmptyState title={texts.noResults(filter)}>{texts.noResultsHint}</EmptyState>}
      />
    </Page>
  )
}
