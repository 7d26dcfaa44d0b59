import { useMutation } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { readUnsubscribeToken, UNSUBSCRIBE_INVALID } from '../../../contract/unsubscribe-links.ts'
import { call, errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { routes } from '../../lib/routes.ts'
import { Button } from '../../ui/core/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import styles from './settings/settings.module.css'
import { unsubscribeTexts as texts, topicTexts } from './settings/texts.ts'

/** Asks before it ends the emails that a link is about: what only looks at links must not end them. */
export function Component() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  // The link says it in plain: whose emails, of what, and a signature.
  const scope = readUnsubscribeToken(token)?.scope
  const topic = Object.entries(topicTexts).find(([name]) => name === scope)?.[1].label
  const question =
    scope === 'now'
      ? texts.aboutNow
      : scope === 'digest'
        ? texts.aboutDigests
        : topic === undefined
          ? null
          : texts.about(topic)
  const end = useMutation({
    mutationFn: () => call(routes.unsubscribe, { params: { token } }),
  })
  return (
    <Page title={texts.title} width="form">
      <div className={styles.part}>
        {end.isSuccess ? (
          <output>{texts.done}</output>
        ) : question === null ? (
          <FormError>{UNSUBSCRIBE_INVALID}</FormError>
        ) : (
          <>
            <p>{question}</p>
            <Button loading={end.isPending} onClick={() => end.mutate()}>
              {texts.confirm}
            </Button>
          </>
        )}
        <FormError>{end.error ? errorMessage(end.error) : null}</FormError>
        <LinkButton to={paths.notificationSettings} variant="default">
          {texts.settings}
        </LinkButton>
      </div>
    </Page>
  )
}
