import { NotificationTopic } from '../../../../contract/notifications.ts'
import type { Signer } from '../../../crypto/signer.ts'

/** What a link of an email ends: emails of one topic, all digests, or all that come right away and can be turned off. */
export type Scope = NotificationTopic | 'digest' | 'now'

const PURPOSE = 'unsubscribe'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a link carries so that no login is needed: whose emails of what it ends, signed. */
export function signedScope(signer: Signer, userId: string, scope: Scope): string {
  const said = `${userId}.${scope}`
  return `${said}.${signer.sign(PURPOSE, said)}`
}

/** Whose emails of what a link ends; null for one that isn't ours. */
export function readScope(signer: Signer, token: string): { userId: string; scope: Scope } | null {
  const [userId = '', scope = '', signature = ''] = token.split('.')
  if (!UUID.test(userId) || !signer.verify(PURPOSE, `${userId}.${scope}`, signature)) return null
  if (scope === 'digest' || scope === 'now') return { userId, scope }
  const topic = NotificationTopic.safeParse(scope)
  return topic.success ? { userId, scope: topic.data } : null
}
