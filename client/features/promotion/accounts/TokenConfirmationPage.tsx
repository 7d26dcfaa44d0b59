import { IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ConnectButton } from '../parts/ConnectButton.tsx'
import { useConfirm } from './api.ts'
import { redirectOf } from './state.ts'
import { confirmationTexts as texts } from './texts.ts'

/** Where the forum leads back to: connects once, by itself, if this person began it. */
export function Component() {
  const [query, setQuery] = useSearchParams()
  const { _id: userId } = useCurrentUser()
  // The first address of the page: its parameters are removed, so that nobody reads or repeats them.
  const [redirect] = useState(() => redirectOf(query, userId))
  const confirm = useConfirm()
  const { mutate } = confirm

  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    if (redirect.kind !== 'nothing') setQuery({}, { replace: true })
    if (redirect.kind === 'allowed') mutate({ code: redirect.code, state: redirect.state })
  }, [redirect, mutate, setQuery])

  return (
    <Page title={texts.title} width="text">
      {confirm.isSuccess ? (
        <EmptyState
          Icon={IconCircleCheck}
          title={texts.success}
          action={
            <>
              <LinkButton to={promotionPaths.createPost}>{texts.createPost}</LinkButton>
              <LinkButton to={promotionPaths.progress} variant="default">
                {texts.progress}
              </LinkButton>
              <LinkButton to={promotionPaths.accounts} variant="default">
                {texts.accounts}
              </LinkButton>
            </>
          }
        >
          {texts.connected(confirm.data.account.name)}
        </EmptyState>
      ) : redirect.kind === 'allowed' && !confirm.error ? (
        <div aria-busy>
          <p role="status">{texts.waiting}</p>
          <SkeletonLines lines={3} />
        </div>
      ) : (
        <EmptyState
          Icon={IconPlugConnectedX}
          title={
            confirm.error
              ? texts.failed
              : redirect.kind === 'nothing'
                ? texts.nothingTitle
                : texts.deniedTitle
          }
          action={<ConnectButton label={redirect.kind === 'nothing' ? texts.connect : texts.again} />}
        >
          <span role="alert">{confirm.error ? errorMessage(confirm.error) : SENTENCES[redirect.kind]}</span>
        </EmptyState>
      )}
    </Page>
  )
}

const SENTENCES = {
  allowed: '',
  denied: texts.denied,
  error: texts.error,
  'other-person': texts.otherPerson,
  nothing: texts.nothing,
} as const
