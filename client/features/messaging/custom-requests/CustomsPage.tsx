import { IconSparkles } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { invalidate } from '../../../lib/query.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { LinkedText } from '../../../ui/LinkedText.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { usePurchase } from '../../commerce/parts/purchase.tsx'
import { type CustomRequest, customsQuery, requestChanges, requestOf } from './api.ts'
import styles from './custom-requests.module.css'
import { RequestActions } from './RequestActions.tsx'
import { RequestHeading, RequestTerms } from './RequestTerms.tsx'
import { customsTexts as texts } from './texts.ts'

const SIDES = [
  { value: 'received', label: texts.received },
  { value: 'sent', label: texts.sent },
] as const
type Side = (typeof SIDES)[number]['value']

/** A person's custom requests: those that a creator got, and those that one sent (docs/product.md, Custom requests). */
export function Component() {
  const me = useCurrentUser()
  const [parameters, setParameters] = useSearchParams()
  const side: Side = me.isCreator && parameters.get('show') !== 'sent' ? 'received' : 'sent'
  const list = useList(customsQuery(side))
  const client = useQueryClient()
  const { buy, dialog } = usePurchase({ onRefused: () => invalidate(client, requestChanges) })
  return (
    <Page title={texts.title} lead={me.isCreator ? texts.creatorLead : texts.lead} width="text">
      {me.isCreator && (
        <div className={styles.sides}>
          <FilterButtons
            label={texts.show}
            choices={SIDES}
            value={side}
            onChange={(next) =>
              setParameters(next === 'sent' ? { show: next } : {}, {
                replace: true,
                preventScrollReset: true,
              })
            }
          />
        </div>
      )}
      <GrowingList
        list={list}
        failed={texts.loadFailed}
        waiting={<SkeletonLines lines={6} />}
        empty={<Nothing side={side} />}
      >
        <ul className={styles.list} aria-label={texts.list}>
          {list.items.map((request) => (
            <RequestItem
              key={request._id}
              request={request}
              me={me._id}
              onPay={request.payable ? () => buy(requestOf(request, request.creatorUsername)) : null}
            />
          ))}
        </ul>
      </GrowingList>
      {dialog}
    </Page>
  )
}

type RequestItemProps = { request: CustomRequest; me: string; onPay: (() => void) | null }

function RequestItem({ request, me, onPay }: RequestItemProps) {
  const { userId, creatorId, username, creatorUsername, requestMessage, createdAt, messageId } = request
  const mine = userId === me
  const [otherId, other] = mine ? [creatorId, creatorUsername] : [userId, username]
  return (
    <li className={styles.item}>
      <RequestHeading state={request.state} />
      <p className={styles.who}>
        {mine ? texts.to(other) : texts.from(other)} · {formatDate(createdAt)}
      </p>
      <p className={styles.wish}>
        <LinkedText>{requestMessage}</LinkedText>
      </p>
      <RequestTerms request={request} me={me} />
      <div className={styles.bottom}>
        <RequestActions request={request} me={me} onPay={onPay} />
        <Link
          className={styles.chat}
          to={{ pathname: paths.chat(otherId), search: messageId ? `?message=${messageId}` : '' }}
        >
          {texts.open}
        </Link>
      </div>
    </li>
  )
}

function Nothing({ side }: { side: Side }) {
  return side === 'received' ? (
    <EmptyState Icon={IconSparkles} title={texts.noneReceived}>
      {texts.noneReceivedHint}
    </EmptyState>
  ) : (
    <EmptyState
      Icon={IconSparkles}
      title={texts.noneSent}
      action={<LinkButton to={paths.discover}>{texts.findCreators}</LinkButton>}
    >
      {texts.noneSentHint}
    </EmptyState>
  )
}
