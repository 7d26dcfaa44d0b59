import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { subscriptionsQuery } from '../api.ts'
import { subscriptionTexts } from '../parts/texts.ts'
import { subscribersQuery } from './api.ts'
import { SubscriberRow } from './FanRow.tsx'
import styles from './fans.module.css'
import { DaysForm, MonthsForm, type Plan } from './GiftForms.tsx'
import { giftTexts, fansTexts as texts } from './texts.ts'

/** As the server takes it (`routes.subscribers`). */
const LONGEST = 60

const SHOWING = (['current', 'ended', 'fans'] as const).map((value) => ({ value, label: texts[value] }))

type Person = { _id: string; username: string }

/** A gift and its recipient; a fan's subscription is chosen in the dialog. */
type Gift = {
  kind: 'days' | 'months'
  person: Person
  plan: Plan | null
}

type FansPageProps = {
  /** All fans, each with what can be given to them. */
  AllFans: ComponentType<{ search: string; actions: (fan: Person) => ReactNode }>
}

/** A creator's subscribers and fans, with what they can be given for free; the address says which are shown. */
export function FansPage({ AllFans }: FansPageProps) {
  const [parameters, change] = useAddress()
  const search = parameters.get('search') ?? ''
  const showing = SHOWING.find(({ value }) => value === parameters.get('show'))?.value ?? 'current'
  const [gift, setGift] = useState<Gift | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead}>
      <search className={styles.tools}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={LONGEST}
          value={search}
          onChange={(wanted) => change({ search: wanted })}
        />
        <FilterButtons
          label={texts.showing}
          choices={SHOWING}
          value={showing}
          onChange={(wanted) => change({ show: wanted === 'current' ? '' : wanted })}
        />
      </search>
      {showing === 'fans' ? (
        <AllFans
          search={search}
          actions={(person) => (
            <Button
              variant="default"
              size="sm"
              aria-label={giftTexts.giveDaysTo(person.username)}
              onClick={() => setGift({ kind: 'days', person, plan: null })}
            >
              {giftTexts.giveDays}
            </Button>
          )}
        />
      ) : (
        <Subscribers showing={showing} search={search} onGive={setGift} />
      )}
      <GiftDialog gift={gift} onClose={() => setGift(null)} />
    </Page>
  )
}

type ListProps = { search: string; onGive: (gift: Gift) => void }

function Subscribers({ showing, search, onGive }: ListProps & { showing: 'current' | 'ended' }) {
  const list = useList(subscribersQuery(showing, search))
  const none =
    showing === 'current' ? (
      <EmptyState
        Icon={IconUsers}
        title={texts.noSubscribers}
        action={<LinkButton to={paths.offers}>{texts.makeOffer}</LinkButton>}
      >
        {texts.noSubscribersWhy}
      </EmptyState>
    ) : (
      <EmptyState Icon={IconUsers} title={texts.noEnded}>
        {texts.noEndedWhy}
      </EmptyState>
    )
  return (
    <GrowingList
      list={list}
      failed={texts.failed}
      waiting={<SkeletonLines lines={6} />}
      empty={search ? <NoResults search={search} /> : none}
    >
      <ul className={styles.list} aria-label={texts[showing]}>
        {list.items.map((subscriber) => (
          <SubscriberRow
            key={subscriber._id}
            subscriber={subscriber}
            onGive={(kind) =>
              onGive({
                kind,
                person: subscriber.subscriber,
                plan: { _id: subscriber.planId, title: subscriber.title },
              })
            }
          />
        ))}
      </ul>
    </GrowingList>
  )
}

function NoResults({ search }: { search: string }) {
  return <EmptyState title={texts.noResults(search)}>{texts.noResultsHint}</EmptyState>
}

function GiftDialog({ gift, onClose }: { gift: Gift | null; onClose: () => void }) {
  // The words stay while the dialog closes.
  const [last, setLast] = useState(gift)
  if (gift && gift !== last) setLast(gift)
  if (!last) return null
  const { kind, person } = last
  const title = kind === 'days' ? giftTexts.giveDaysTo(person.username) : giftTexts.extendFor(person.username)
  return (
    <Dialog opened={gift !== null} onClose={onClose} title={title}>
      {gift && <GiftForm gift={gift} onDone={onClose} />}
    </Dialog>
  )
}

function GiftForm({ gift: { kind, person, plan }, onDone }: { gift: Gift; onDone: () => void }) {
  const { _id } = useCurrentUser()
  const own = useQuery({ ...subscriptionsQuery(_id), enabled: !plan })
  const Form = kind === 'days' ? DaysForm : MonthsForm
  const formOf = (plans: readonly Plan[]) => (
    <Form person={person} plans={plans} forCreator={null} onDone={onDone} />
  )
  if (plan) return formOf([plan])
  return (
    <Fetched query={own} failed={subscriptionTexts.loadFailed}>
      {(plans) =>
        plans.length > 0 ? (
          formOf(plans)
        ) : (
          <>
            <p>{giftTexts.noPlans}</p>
            <LinkButton to={paths.premiumContent}>{giftTexts.toShop}</LinkButton>
          </>
        )
      }
    </Fetched>
  )
}
