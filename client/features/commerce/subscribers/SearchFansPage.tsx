import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { LONGEST_SEARCH, searchPeopleQuery } from '../../profiles/parts/people/api.ts'
import { FanRow } from './FanRow.tsx'
import styles from './fans.module.css'
import { operatorTexts as texts } from './texts.ts'

const OperatorGift = lazyPart(
  () => import('./OperatorGift.tsx').then((module) => module.OperatorGift),
  <SkeletonLines lines={2} />,
)

/** Everyone by username, for operators who give access for a creator; what is searched for stands in the address. */
export function Component() {
  const givesTime = may(useCurrentUser(), 'subscriptions.extend')
  const [parameters, setParameters] = useSearchParams()
  const filter = parameters.get('filter') ?? ''
  const list = useList(searchPeopleQuery(filter))
  const [person, setPerson] = useState<{ _id: string; username: string } | null>(null)
  const close = () => setPerson(null)
  return (
    <Page
      title={givesTime ? texts.title : texts.unlocksTitle}
      lead={givesTime ? texts.lead : texts.unlocksLead}
      width="text"
    >
      <search className={styles.tools}>
        <SearchBox
          label={texts.username}
          placeholder={texts.creatorHint}
          maxLength={LONGEST_SEARCH}
          value={filter}
          onChange={(wanted) =>
            setParameters(wanted ? { filter: wanted } : {}, { replace: true, preventScrollReset: true })
          }
        />
      </search>
      <GrowingList
        list={list}
        waiting={<SkeletonLines lines={6} />}
        empty={<EmptyState title={texts.noResults} />}
      >
        <ul className={styles.list} aria-label={texts.people}>
          {list.items.map((found) => (
            <FanRow key={found._id} person={found}>
              <Button
                variant="default"
                size="sm"
                aria-label={texts.giveTo(found.username)}
                onClick={() => setPerson(found)}
              >
                {texts.give}
              </Button>
            </FanRow>
          ))}
        </ul>
      </GrowingList>
      <Dialog opened={person !== null} onClose={close} title={person ? texts.giveTo(person.username) : ''}>
        {person && <OperatorGift key={person._id} person={person} onDone={close} />}
      </Dialog>
    </Page>
  )
}
