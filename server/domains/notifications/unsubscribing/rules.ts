import { NotificationTopic } from '../../../../contract/notifications.ts'
import type { Signer } from '../../../crypto/signer.ts'

/**
 * The emails that an unsubscribe link ends: those of one topic, all digests, or all immediate ones that can be turned
 * off.
 */
export type Scope = NotificationTopic | 'digest' | 'now'

const PURPOSE = 'unsubscribe'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The signed content of an unsubscribe link, which needs no login: the account and the emails to end. */
export function signedScope(signer: Signer, userId: string, scope: Scope): string {
  const said = `${userId}.${scope}`
  return `${said}.${signer.sign(PURPOSE, said)}`
}

/** The account and emails that a link names; null for a link that isn't ours. */
export function readScope(signer: Signer, token: string): { userId: string; scope: Scope } | null {
  const [userId = '', scope = '', signature = ''] = token.split('.')
  if (!UUID.test(userId) || !signer.verify(PURPOSE, `${userId}.${scope}`, signature)) return null
  if (scope === 'digest' || scope === 'now') return { userId, scope }
  const topic = NotificationTopic.safeParse(scope)
  return topic.success ? { userId, scope: topic.data } : null
}
