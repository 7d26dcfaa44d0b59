import { useState } from 'react'
import { SearchPeople } from '../../features/profiles/people/SearchPeople.tsx'
import { peopleTexts, suspensionTexts as texts } from '../../features/profiles/people/texts.ts'
import { may, useCurrentUser } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import type { Suspendable } from '../operator/SuspendPerson.tsx'

const SuspendPerson = lazyPart(() => import('../operator/SuspendPerson.tsx').then((module) => module.default))

/** Find people by their username (docs/product.md, Pages); operators can suspend and reinstate them. */
export function Component() {
  const user = useCurrentUser()
  const [asked, setAsked] = useState<Suspendable | null>(null)
  if (!may(user, 'people.suspend')) return <Shown />
  return (
    <>
      <Shown
        action={({ _id, username, suspended = false }) =>
          _id !== user._id && (
            <Button
              variant="subtle"
              {...(suspended ? {} : { color: 'red' })}
              aria-label={suspended ? texts.reinstatePerson(username) : texts.suspendPerson(username)}
              onClick={() => setAsked({ _id, username, suspended })}
            >
              {suspended ? texts.reinstate : texts.suspend}
            </Button>
          )
        }
      />
      <SuspendPerson person={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function Shown(props: Parameters<typeof SearchPeople>[0]) {
  return (
    <Page title={peopleTexts.searchTitle} lead={peopleTexts.searchLead} width="text">
      <SearchPeople {...props} />
    </Page>
  )
}
