import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { callErrors } from '../../../../contract/errors/calls.ts'
import { ApiError } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { mediaQuery } from '../api.ts'
import { EditMediaForm } from './EditMediaForm.tsx'
import { editTexts as texts } from './texts.ts'

/** An own item with everything that can be changed of it; the operator changes anybody’s (docs/product.md, Pages). */
export function Component() {
  const { mediaId = '' } = useParams()
  return (
    <Page title={texts.page} back={<BackLink to={paths.manageMedia}>{texts.manage}</BackLink>}>
      <EditMedia key={mediaId} mediaId={mediaId} />
    </Page>
  )
}

function EditMedia({ mediaId }: { mediaId: string }) {
  const person = useCurrentUser()
  const media = useQuery({
    ...mediaQuery(mediaId),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  const library = <LinkButton to={paths.manageMedia}>{texts.manage}</LinkButton>
  const waiting = <SkeletonLines lines={6} />
  if (media.isFetching && !media.isFetchedAfterMount) return waiting
  if (!media.data && media.error instanceof ApiError && media.error.status === 404)
    return <EmptyState title={texts.notFound} action={library} />
  return (
    <Fetched query={media} waiting={waiting} failed={texts.loadFailed}>
      {(data) => {
        const own = data.creatorId === person._id
        if (!own && !may(person, 'media.editAll'))
          return <EmptyState title={callErrors.not_owner.text} action={library} />
        return (
          <EditMediaForm
            media={data}
            own={own}
            sells={person.isCreator || !own}
            unlocks={may(person, 'media.unlock')}
          />
        )
      }}
    </Fetched>
  )
}
