import { IconPlus } from '@tabler/icons-react'
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatContents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { bundlesQuery, subscriptionsQuery } from '../api.ts'
import { OfferList, OfferRow } from '../parts/offers/OfferRow.tsx'
import { SinglesList } from '../parts/offers/Singles.tsx'
import { useCreateBundle, useCreateSubscription } from './api.ts'
import { CreateDialog, type NewOffer } from './CreateDialog.tsx'
import { createTexts, retireTexts, sellingTexts } from './texts.ts'

type Sold = {
  _id: string
  title: string
  price: string
  photoCount: number
  videoCount: number
  videoSeconds: number
  retired: boolean
}

/** Everything a creator sells: subscriptions, bundles and the way to single items (docs/product.md, Pages premium content management). */
export function Component() {
  const { _id, username } = useCurrentUser()
  const navigate = useNavigate()
  const createSubscription = useCreateSubscription()
  const createBundle = useCreateBundle()
  return (
    <Page
      title={sellingTexts.title}
      lead={sellingTexts.lead}
      action={
        <LinkButton to={paths.profile(username)} variant="default">
          {sellingTexts.profile}
        </LinkButton>
      }
    >
      <SoldList
        title={sellingTexts.subscriptions}
        kind="subscription"
        empty={sellingTexts.subscriptionsEmpty}
        period={sellingTexts.perMonth}
        query={subscriptionsQuery(_id)}
        editPath={paths.editSubscription}
        onCreate={async (values) => {
          const { _id: id } = await createSubscription.mutateAsync(values)
          toast.success(sellingTexts.subscriptionCreated)
          return id
        }}
      />
      <SoldList
        title={sellingTexts.bundles}
        kind="bundle"
        empty={sellingTexts.bundlesEmpty}
        query={bundlesQuery(_id)}
        editPath={paths.editBundle}
        onCreate={async ({ includes: _, ...values }) => {
          const { _id: id } = await createBundle.mutateAsync(values)
          toast.success(sellingTexts.bundleCreated)
          return id
        }}
      />
      <Section
        title={sellingTexts.singles}
        action={
          <LinkButton to={`${paths.manageMedia}?visibility=store`} variant="default">
            {sellingTexts.inShop}
          </LinkButton>
        }
      >
        <SinglesList
          creatorId={_id}
          own
          onOpen={(media) => void navigate(paths.media(media._id))}
          empty={
            <EmptyState
              title={sellingTexts.singlesEmptyTitle}
              action={<LinkButton to={paths.manageMedia}>{sellingTexts.choose}</LinkButton>}
            >
              {sellingTexts.singlesEmpty}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

type SoldListProps<Data, Item extends Sold> = {
  title: string
  kind: 'subscription' | 'bundle'
  empty: string
  period?: string
  query: UseQueryOptions<Data, Error, Item[], QueryKey & string[]>
  editPath: (id: string) => string
  onCreate: (values: NewOffer) => Promise<string>
}

function SoldList<Data, Item extends Sold>({
  title,
  kind,
  empty,
  period,
  query,
  editPath,
  onCreate,
}: SoldListProps<Data, Item>) {
  const list = useQuery(query)
  const [creating, setCreating] = useState(false)
  const isEmpty = list.data?.length === 0
  const create = (
    <Button
      variant={isEmpty ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setCreating(true)}
    >
      {createTexts.title(kind)}
    </Button>
  )
  return (
    <Section title={title} action={isEmpty ? undefined : create}>
      <Fetched query={list} failed={sellingTexts.loadFailed(title.toLowerCase())}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={sellingTexts.noneYet(title.toLowerCase())} action={create}>
              {empty}
            </EmptyState>
          ) : (
            <OfferList label={title}>
              {data.map((item) => (
                <OfferRow
                  key={item._id}
                  title={item.title}
                  price={item.price}
                  {...(period ? { period } : {})}
                  facts={
                    <>
                      <span>{formatContents(item) ?? sellingTexts.empty}</span>
                      {item.retired && <Tag>{retireTexts.tag}</Tag>}
                    </>
                  }
                  action={
                    <LinkButton to={editPath(item._id)} variant="default">
                      {sellingTexts.edit}
                    </LinkButton>
                  }
                />
              ))}
            </OfferList>
          )
        }
      </Fetched>
      <CreateDialog
        kind={kind}
        opened={creating}
        onClose={() => setCreating(false)}
        onCreate={onCreate}
        editPath={editPath}
      />
    </Section>
  )
}
