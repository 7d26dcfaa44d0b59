import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callErrors } from '../../../../contract/errors/calls.ts'
import { ApiError } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { editTexts } from './texts.ts'

type EditorGateProps<Item> = {
  /** The page's title until the editor is there, which has its own. */
  title: string
  /** Read again at each opening. */
  query: UseQueryResult<Item>
  ownerOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** The editor once its item has loaded, for the owner only; what to do instead for everyone else. */
export function EditorGate<Item>({ title, query, ownerOf, children }: EditorGateProps<Item>) {
  const me = useCurrentUser()
  const { data, error } = query
  const forbidden = error instanceof ApiError && error.status === 403
  if (forbidden || (data && ownerOf(data) !== me._id)) {
    return (
      <Page title={title}>
        <EmptyState
          title={callErrors.not_owner.text}
          action={<LinkButton to={paths.premiumContent}>{editTexts.premiumContent}</LinkButton>}
        >
          {editTexts.another}
        </EmptyState>
      </Page>
    )
  }
  const inPage = (inside: ReactNode) => <Page title={title}>{inside}</Page>
  const waiting = inPage(<SkeletonLines lines={6} />)
  // The form keeps what it begins with, which the library may have changed since it was read.
  if (query.isFetching && !query.isFetchedAfterMount) return waiting
  return (
    <Fetched query={query} waiting={waiting} failed={editTexts.loadFailed} around={inPage}>
      {children}
    </Fetched>
  )
}
