import { ApiError, errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { TextLink } from '../../../ui/TextLink.tsx'
import styles from './parts.module.css'
import { detailsTexts as texts } from './texts.ts'
import { useForum } from './use-forum.ts'

/** Why the forum has no answer, and the way out where the person has one. */
export function ForumFailure({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : null
  const { available } = useForum()
  const isAboutAccounts = code === 'forum_reconnect' || code === 'forum_not_connected'
  return (
    <p className={styles.failure} role="alert">
      {errorMessage(error)}{' '}
      {available && isAboutAccounts && (
        <TextLink to={promotionPaths.accounts}>
          {code === 'forum_reconnect' ? texts.reconnect : texts.connect}
        </TextLink>
      )}
    </p>
  )
}
