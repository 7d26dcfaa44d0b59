import { IconPlus } from '@tabler/icons-react'
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { formatContents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { bundlesQuery, subscriptionsQuery, useCreateBundle, useCreateSubscription } from '../api.ts'
import { OfferList, OfferRow } from '../parts/OfferRow.tsx'
import { SinglesList } from '../parts/Singles.tsx'
import { CreateDialog } from './CreateDialog.tsx'

type Sold = {
  _id: string
  title: string
  price: string
  photoCount: number
  videoCount: number
  videoSeconds: number
}

/** Everything a creator sells: subscriptions, bundles and the way to single items (docs/product.md, Pages premium content management). */
export function SellingOverview() {
  const { _id, username } = useCurrentUser()
  const navigate = useNavigate()
  const createSubscription = useCreateSubscription()
  const createBundle = useCreateBundle()
  return (
    <Page
      title="Premium content"
      lead="What fans can buy from you. Put media into subscriptions and bundles, or sell single items."
      action={
        <LinkButton to={paths.profile(username)} variant="default">
          See your profile
        </LinkButton>
      }
    >
      <SoldList
        title="Subscriptions"
        kind="subscription"
        empty="A subscription opens everything you put into it, for a price per month."
        period="per month"
        query={subscriptionsQuery(_id)}
        editPath={paths.editSubscription}
        onCreate={async (values) => {
          const { _id: id } = await createSubscription.mutateAsync(values)
          toast.success('Subscription created')
          return id
        }}
      />
      <SoldList
        title="Bundles"
        kind="bundle"
        empty="A bundle is a set of pictures and videos at one price. Who buys it keeps it."
        query={bundlesQuery(_id)}
        editPath={paths.editBundle}
        onCreate={async (values) => {
          const { _id: id } = await createBundle.mutateAsync(values)
          toast.success('Success!')
          return id
        }}
      />
      <Section
        title="Singles"
        action={
          <LinkButton to={`${paths.manageMedia}?visibility=store`} variant="default">
            In your store now
          </LinkButton>
        }
      >
        <SinglesList
          creatorId={_id}
          own
          onOpen={(media) => void navigate(paths.media(media._id))}
          empty={
            <EmptyState
              title="Sell one item at a time"
              action={<LinkButton to={paths.manageMedia}>Choose from your media</LinkButton>}
            >
              Select items in your library, give them a price, and turn on “Show in store”.
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
  onCreate: (values: { title: string; price: string; key: string }) => Promise<string>
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
  const create = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setCreating(true)}
    >
      New {kind}
    </Button>
  )
  return (
    <Section title={title} action={create}>
      {list.isPending && <SkeletonLines />}
      {list.isError && (
        <ErrorState
          title={`Your ${title.toLowerCase()} could not be loaded`}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data?.length === 0 && (
        <EmptyState
          title={`No ${title.toLowerCase()} yet`}
          action={<Button onClick={() => setCreating(true)}>Create your first</Button>}
        >
          {empty}
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <OfferList label={title}>
          {list.data.map((item) => (
            <OfferRow
              key={item._id}
              title={item.title}
              price={item.price}
              {...(period ? { period } : {})}
              facts={formatContents(item) ?? 'Nothing inside yet'}
              action={
                <LinkButton to={editPath(item._id)} variant="default">
                  Edit
                </LinkButton>
              }
            />
          ))}
        </OfferList>
      )}
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
