import { IconBrandReddit } from '@tabler/icons-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { DecisionQueue } from '../../../ui/decisions/DecisionQueue.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { formatDate, formatNumber, withCents } from '../../../ui/format.ts'
import { readNumber } from '../../../ui/format-occasional.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { ApplicationFields, type Terms, termsOf } from './ApplicationFields.tsx'
import {
  type Application,
  applicationsQuery,
  beginDecision,
  type Showing,
  useDecideSubreddit,
} from './api.ts'
import { PayShare } from './PayShare.tsx'
import styles from './program.module.css'
import { programTexts as texts } from './texts.ts'

/** The typed details of an application, and whether a decision with them is on its way. */
type Typed = { terms: Terms; isDecided: boolean }

const SHOWINGS: Showing[] = ['open', 'held', 'all']

/** The Subreddit program: applications to review, and those already decided (docs/product.md, Referrals). */
export function Component() {
  const [showing, setShowing] = useState<Showing>('open')
  const list = useList(applicationsQuery(showing))
  const [typed, setTyped] = useState<ReadonlyMap<string, Typed>>(new Map())
  useUnsaved([...typed.values()].every(({ isDecided }) => isDecided) ? null : texts.lost)
  return (
    <ReauthenticationProvider>
      <Page title={texts.title} lead={texts.lead} width="text">
        <div className={styles.tools}>
          <FilterButtons
            label={texts.showing}
            choices={SHOWINGS.map((value) => ({ value, label: texts[value] }))}
            value={showing}
            onChange={setShowing}
          />
        </div>
        <GrowingList
          list={list}
          failed={texts.failed}
          waiting={<SkeletonLines lines={6} />}
          empty={
            <EmptyState Icon={IconBrandReddit} title={texts.none[showing].title}>
              {texts.none[showing].why}
            </EmptyState>
          }
        >
          {showing === 'open' ? (
            <Queue items={list.items} typed={typed} onType={setTyped} />
          ) : (
            <Decided items={list.items} />
          )}
        </GrowingList>
      </Page>
    </ReauthenticationProvider>
  )
}

type QueueProps = {
  items: Application[]
  typed: ReadonlyMap<string, Typed>
  onType: Dispatch<SetStateAction<ReadonlyMap<string, Typed>>>
}

function Queue({ items, typed, onType }: QueueProps) {
  const reauthenticate = useReauthentication()
  const decide = useDecideSubreddit(reauthenticate)
  const termsFor = (item: Application) => typed.get(item._id)?.terms ?? termsOf(item)
  const mark = ({ _id }: Application, isDecided: boolean) =>
    onType((before) => {
      const known = before.get(_id)
      return known ? new Map(before).set(_id, { ...known, isDecided }) : before
    })
  return (
    <DecisionQueue
      label={texts.label}
      items={items}
      keyOf={({ _id }) => _id}
      nameOf={({ subreddit }) => `r/${subreddit}`}
      decisions={[
        { id: 'approve', label: texts.approve, done: texts.approved },
        { id: 'refuse', label: texts.refuse, done: texts.refused, destructive: true },
      ]}
      refusalOf={(item, decision) => {
        const { reason, subscribers } = termsFor(item)
        const isUncounted = decision === 'approve' && !(readNumber(subscribers) > 0)
        const error =
          reason.trim() === '' ? texts.reasonMissing : isUncounted ? texts.subscribersMissing : null
        return error === null ? null : new ApiError(400, { error, code: 'invalid_input' })
      }}
      onBegin={async (item) => {
        await beginDecision(reauthenticate)
        mark(item, true)
      }}
      onUndo={(item) => mark(item, false)}
      onDecide={async (item, decision, options) => {
        const { reason, restrictions, moderator, subscribers } = termsFor(item)
        const terms =
          decision === 'approve'
            ? { subscribers: readNumber(subscribers), restrictions, moderator: moderator.trim() || undefined }
            : {}
        try {
          const { waits } = await decide.mutateAsync({
            ...{ applicationId: item._id, decision: decision === 'approve' ? 'approve' : 'refuse', reason },
            ...terms,
            options,
          })
          if (waits) toast.success(texts.waits(item.subreddit))
          onType((before) => new Map([...before].filter(([key]) => key !== item._id)))
        } catch (error) {
          mark(item, false)
          throw error
        }
      }}
      none={null}
    >
      {(item) => (
        <>
          <About application={item} inQueue />
          {item.proposal && (
            <p className={styles.proposal}>
              {texts.proposed(item.proposal.by.username, item.proposal.reason)}
            </p>
          )}
          <ApplicationFields
            name={`r/${item.subreddit}`}
            terms={termsFor(item)}
            onChange={(terms) =>
              onType((before) => new Map(before).set(item._id, { terms, isDecided: false }))
            }
          />
        </>
      )}
    </DecisionQueue>
  )
}

function Decided({ items }: { items: Application[] }) {
  return (
    <ul className={styles.list} aria-label={texts.label}>
      {items.map((application) => (
        <li key={application._id} className={styles.row}>
          <About application={application} />
          {application.status === 'approved' && application.moderator === null && (
            <PayShare application={application} />
          )}
        </li>
      ))}
    </ul>
  )
}

function About({ application, inQueue = false }: { application: Application; inQueue?: boolean }) {
  const { subreddit, status, subscribers, knownSubscribers, person, moderator, amount, appliedAt, proposal } =
    application
  const count = formatNumber(subscribers)
  const isOpen = status === 'applied'
  return (
    <div>
      <p className={styles.name}>
        r/{subreddit}
        {amount !== null && ` · ${texts.share(withCents(amount))}`}
      </p>
      <p className={styles.note}>
        {[
          !inQueue && texts.status[status],
          texts.by(person.username),
          formatDate(appliedAt),
          isOpen ? texts.stated(count) : texts.counted(count),
          isOpen && knownSubscribers !== null && texts.known(formatNumber(knownSubscribers)),
          !inQueue && isOpen && proposal && texts.waiting(proposal.by.username),
          application.canceled && texts.canceled,
          status === 'approved' && (moderator ? texts.moderatedBy(moderator.username) : texts.heldShare),
          application.restrictions,
          application.reason,
        ]
          .filter(Boolean)
          .join('\u00a0· ')}
      </p>
      {status === 'approved' && proposal?.moderator && (
        <p className={styles.note}>
          {texts.shareProposed(proposal.by.username, proposal.moderator.username, proposal.reason)}
        </p>
      )}
    </div>
  )
}
