import { useQuery } from '@tanstack/react-query'
import { errors } from '../../../../contract/errors.ts'
import { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import { ApiError } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { bundleQuery, subscriptionQuery, useEditBundle, useEditSubscription } from './api.ts'
import { Editor } from './Editor.tsx'
import { editTexts } from './texts.ts'

/** The editor of one subscription, for its owner only (docs/product.md, Access). */
export function EditSubscription({ subscriptionId }: { subscriptionId: string }) {
  const me = useCurrentUser()
  const { data, error, refetch } = useQuery(subscriptionQuery(subscriptionId))
  const edit = useEditSubscription()
  if (error) return <NotLoaded title={editTexts.subscription} error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading title={editTexts.subscription} />
  if (data.creatorId !== me._id) return <NoAccess title={editTexts.subscription} />
  return (
    <Editor
      key={data._id}
      kind="subscription"
      route={subscriptionRoutes.editSubscription}
      creatorId={me._id}
      initial={{
        title: data.title,
        price: data.price,
        chatEnabled: data.chatEnabled,
        mediaIds: data.mediaIds,
      }}
      contents={{
        photoCount: data.photoCount,
        videoCount: data.videoCount,
        videoSeconds: data.videoSeconds,
      }}
      savedText={editTexts.subscriptionSaved}
      onSave={(values) => edit.mutateAsync({ subscriptionId, ...values })}
    />
  )
}

/** The editor of one bundle, for its owner only (docs/product.md, Access). */
export function EditBundle({ bundleId }: { bundleId: string }) {
  const me = useCurrentUser()
  const { data, error, refetch } = useQuery(bundleQuery(bundleId))
  const edit = useEditBundle()
  if (error) return <NotLoaded title={editTexts.bundle} error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading title={editTexts.bundle} />
  if (data.userId !== me._id) return <NoAccess title={editTexts.bundle} />
  return (
    <Editor
      key={data._id}
      kind="bundle"
      route={bundleRoutes.editBundle}
      creatorId={me._id}
      initial={{ title: data.title, price: data.price, chatEnabled: false, mediaIds: data.mediaIds }}
      contents={{
        photoCount: data.photoCount,
        videoCount: data.videoCount,
        videoSeconds: data.videoSeconds,
      }}
      savedText={editTexts.bundleSaved}
      onSave={({ title, price, mediaIds }) => edit.mutateAsync({ bundleId, title, price, mediaIds })}
    />
  )
}

function Loading({ title }: { title: string }) {
  return (
    <Page title={title}>
      <SkeletonLines lines={6} />
    </Page>
  )
}

function NoAccess({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState
        title={errors.not_owner.text}
        action={<LinkButton to={paths.premiumContent}>{editTexts.premiumContent}</LinkButton>}
      >
        {editTexts.another}
      </EmptyState>
    </Page>
  )
}

function NotLoaded({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 403) return <NoAccess title={title} />
  return (
    <Page title={title}>
      <ErrorState title={editTexts.loadFailed} error={error} onRetry={onRetry} />
    </Page>
  )
}
